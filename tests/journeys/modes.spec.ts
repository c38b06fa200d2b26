import { expect, test, type Page } from '@playwright/test';
import { plant } from '../../cli/demo/plant/plant.ts';
import { watchGl, type DrawnView } from '../browser/gl-watch.ts';
import { toUrl, people, signIn } from './people.ts';

// The window is small, because software rendering is slow.
test.use({ viewport: { width: 1120, height: 560 } });

/** A view into the plant that is neither along an axis nor at whole degrees. */
const look = { node: 'HB-P09', pan: 123.45, tilt: -6.78, fov: 57.9 } as const;
const [x, y, z] = plant.nodes.find(({ code }) => code === look.node)?.position ?? [NaN, NaN, NaN];

const chooseModule = (page: Page, module: string) =>
  page.getByRole('navigation', { name: 'Tour modules' }).getByRole('button', { name: module, exact: true }).click();

/** Shows the cloud coloured by height, because the shader of heights has the eye position as a uniform. */
async function showCloud(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Point cloud', exact: true }).click();
  await page.getByRole('button', { name: 'Point display', exact: true }).click();
  await page.getByRole('tab', { name: 'Height' }).click();
  await page.getByRole('button', { name: 'Close point display' }).click();
  await expect
    .poll(async () => (await page.evaluate(() => window.glWatch.listViews()))[0]?.eye !== undefined)
    .toBe(true);
}

const readUrl = (page: Page) => {
  const query = new URL(page.url()).searchParams;
  const number = (name: string): number => Number(query.get(name));
  return {
    module: query.get('module'),
    node: query.get('node'),
    pan: number('pan'),
    tilt: number('tilt'),
    fov: number('fov'),
    pos: (query.get('pos') ?? '').split(',').map(Number),
  };
};

/** Waits until `count` images are drawn and nothing moves any more, and returns their views. */
async function waitForViews(page: Page, count = 1): Promise<readonly DrawnView[]> {
  await expect.poll(() => page.evaluate(() => window.glWatch.listViews().length)).toBe(count);
  await page.evaluate(() => window.glWatch.waitUntilQuiet(20));
  return page.evaluate(() => window.glWatch.listViews());
}

/** Angle between two directions, in degrees. */
function angleBetween(
  a: { readonly pan: number; readonly tilt: number },
  b: { readonly pan: number; readonly tilt: number },
): number {
  const [p, t, q, u] = [a.pan, a.tilt, b.pan, b.tilt].map((angle) => (angle * Math.PI) / 180) as [
    number,
    number,
    number,
    number,
  ];
  const cosine = Math.sin(t) * Math.sin(u) + Math.cos(t) * Math.cos(u) * Math.cos(p - q);
  return (Math.acos(Math.min(1, cosine)) * 180) / Math.PI;
}

const computeDistance = (a: readonly number[], b: readonly number[]): number =>
  Math.hypot(...[0, 1, 2].map((axis) => (a[axis] ?? NaN) - (b[axis] ?? NaN)));

test('[TOUR-05] keeps the direction within 0.1 degrees when changing between panorama, scan, cloud and model', async ({
  page,
}) => {
  await watchGl(page);
  await signIn(page, people.admin);
  await page.goto(
    toUrl(
      `/console/tour/HB-M10?v=1&module=vr.module&node=${look.node}&pan=${look.pan}&tilt=${look.tilt}&fov=${look.fov}&pos=${x},${y},${z}`,
    ),
  );
  const steps = [
    ['vr.module', 'Panorama'],
    ['scan.module', 'Scan'],
    ['scan.module', 'Point cloud'],
    ['model-3d.module', '3D model'],
    ['scan.module', 'Scan'],
    ['scan.module', 'Image'],
    ['vr.module', 'Panorama'],
  ] as const;
  for (const [index, [module, button]] of steps.entries()) {
    if (button === 'Point cloud') await showCloud(page);
    else if (button === 'Image') await page.getByRole('button', { name: button, exact: true }).click();
    else if (index > 0) await chooseModule(page, button);
    await expect.poll(() => readUrl(page).module).toBe(module);
    const [view] = await waitForViews(page);
    expect(view, button).toBeDefined();
    if (!view) return;
    expect(angleBetween(view, look), `${button}: degrees off as drawn`).toBeLessThan(0.1);
    expect(Math.abs(view.fov - look.fov), `${button}: degrees of view off as drawn`).toBeLessThan(0.1);
    if (button === 'Point cloud')
      expect(computeDistance(view.eye ?? [], [x, y, z]), 'metres off as drawn').toBeLessThan(0.001);
    // The model's origin is offset from the site frame by whole metres.
    if (button === '3D model')
      expect(
        computeDistance(
          (view.eye ?? [])
            .map((coordinate, axis) => coordinate - ([x, y, z][axis] ?? NaN))
            .map((difference) => difference - Math.round(difference)),
          [0, 0, 0],
        ),
        'metres off as drawn',
      ).toBeLessThan(0.001);
    const urlView = readUrl(page);
    expect(urlView.node).toBe(look.node);
    expect(angleBetween(urlView, look), `${button}: degrees off in the URL`).toBeLessThan(0.1);
    expect(Math.abs(urlView.fov - look.fov)).toBeLessThan(0.1);
    expect(computeDistance(urlView.pos, [x, y, z]), `${button}: metres off in the URL`).toBeLessThan(0.001);
  }
});

test('[TOUR-05] keeps the position of the model in the cloud and opens the panorama of the nearest node', async ({
  page,
}) => {
  await watchGl(page);
  await signIn(page, people.admin);
  // The walk starts half-way to the next node and faces it, so that it is short.
  const next = plant.nodes
    .filter(({ code, position }) => code !== look.node && position[2] === z)
    .toSorted((a, b) => computeDistance(a.position, [x, y, z]) - computeDistance(b.position, [x, y, z]))[0]
    ?.position ?? [NaN, NaN, NaN];
  const pan = ((Math.atan2(next[0] - x, next[1] - y) * 180) / Math.PI + 360) % 360;
  const start = [(x + next[0]) / 2, (y + next[1]) / 2, z].map((value) => Math.round(value * 1000) / 1000);
  await page.goto(
    toUrl(
      `/console/tour/HB-M10?v=1&module=model-3d.module&node=${look.node}&pan=${pan}&tilt=${look.tilt}&fov=${look.fov}&pos=${start.join(',')}`,
    ),
  );
  // Once the model is loaded, its frame is offset from the site frame by whole metres.
  let frameOffset: readonly number[] = [];
  await expect
    .poll(async () => {
      const [firstViews] = await waitForViews(page);
      frameOffset = (firstViews?.eye ?? []).map((coordinate, axis) => Math.round((start[axis] ?? NaN) - coordinate));
      return frameOffset.some((metre) => metre !== 0);
    }, 'the frame of the model')
    .toBe(true);
  await page.getByRole('application').focus();
  await page.keyboard.down('w');
  await expect.poll(() => readUrl(page).node).not.toBe(look.node);
  await page.keyboard.up('w');
  const [model] = await waitForViews(page);
  const eye = (model?.eye ?? []).map((coordinate, axis) => coordinate + (frameOffset[axis] ?? NaN));
  const nearest = plant.nodes.toSorted((a, b) => computeDistance(a.position, eye) - computeDistance(b.position, eye))[0]
    ?.code;
  await expect.poll(() => computeDistance(readUrl(page).pos, eye), 'metres off in the URL').toBeLessThan(0.001);
  expect(readUrl(page).node).toBe(nearest);

  await chooseModule(page, 'Scan');
  await showCloud(page);
  const [cloud] = await waitForViews(page);
  expect(computeDistance(cloud?.eye ?? [], eye), 'metres off in the cloud').toBeLessThan(0.001);
  expect(
    angleBetween(cloud ?? { pan: NaN, tilt: NaN }, model ?? { pan: NaN, tilt: NaN }),
    'degrees off in the cloud',
  ).toBeLessThan(0.1);

  await chooseModule(page, 'Panorama');
  const [panorama] = await waitForViews(page);
  expect(readUrl(page).node).toBe(nearest);
  expect(
    angleBetween(panorama ?? { pan: NaN, tilt: NaN }, { ...look, pan }),
    'degrees off in the panorama',
  ).toBeLessThan(0.1);
});

for (const [leader, follower] of [
  ['vr.module', 'model-3d.module'],
  ['model-3d.module', 'scan.module'],
  ['scan.module', 'vr.module'],
] as const) {
  test(`[TOUR-05] moves ${follower} with ${leader} within two frames in a split view`, async ({ page }) => {
    await watchGl(page);
    await signIn(page, people.admin);
    await page.goto(
      toUrl(
        `/console/tour/HB-M10?v=1&module=${leader}&beside=${follower}&node=${look.node}&pan=${look.pan}&tilt=${look.tilt}&fov=${look.fov}&pos=${x},${y},${z}`,
      ),
    );
    const firstViews = await waitForViews(page, 2);
    for (const view of firstViews) expect(angleBetween(view, look)).toBeLessThan(0.1);
    const leaderHalf = page.getByRole('application').first();
    await leaderHalf.focus();
    const leadingCanvas = await leaderHalf.evaluate(
      (host, canvases) => canvases.find((number) => host.contains(window.glWatch.canvas(number))),
      firstViews.map(({ canvas }) => canvas),
    );
    await page.evaluate(() => window.glWatch.record());
    const recordLeaderViews = async () =>
      (await page.evaluate(() => window.glWatch.listRecordedViews())).filter(({ canvas }) => canvas === leadingCanvas);
    await page.keyboard.down('ArrowRight');
    await expect
      .poll(
        async () => new Set((await recordLeaderViews()).map(({ pan }) => pan.toFixed(1))).size,
        'directions that were drawn',
      )
      .toBeGreaterThan(4);
    await page.keyboard.up('ArrowRight');
    await waitForViews(page, 2);
    const leaderViews = await recordLeaderViews();
    const views = await page.evaluate(() => window.glWatch.listRecordedViews());
    const followerViews = [...firstViews, ...views].filter(({ canvas }) => canvas !== leadingCanvas);
    /** The views of the following half from this frame to two frames later. */
    const viewsNear = (frame: number): readonly DrawnView[] => [
      ...followerViews.filter((view) => view.frame <= frame).slice(-1),
      ...followerViews.filter((view) => view.frame > frame && view.frame <= frame + 2),
    ];
    // The follower may show a later view of the leader.
    const lateViews = leaderViews.filter(
      (leaderView) =>
        !viewsNear(leaderView.frame).some((view) =>
          leaderViews.some(
            (later) =>
              later.frame >= leaderView.frame &&
              later.frame <= Math.max(view.frame, leaderView.frame) &&
              angleBetween(view, later) < 0.1,
          ),
        ),
    );
    expect(lateViews, 'views that the other half did not show within two frames').toEqual([]);
  });
}
