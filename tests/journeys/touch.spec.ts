import { expect, test, type Browser, type CDPSession, type Page } from '@playwright/test';
import { watchGl, type DrawnView } from '../browser/gl-watch.ts';
import { people, signIn, toUrl } from './people.ts';
import { waitUntilStable } from './visit.ts';

const minTargetPx = 44;

/** A position in pixels. */
type Finger = readonly [x: number, y: number];

async function openTourByTouch(browser: Browser, width: number, height: number): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height },
    hasTouch: true,
    isMobile: true,
    locale: 'en-GB',
  });
  const page = await context.newPage();
  await watchGl(page);
  await signIn(page, people.staff);
  await page.goto(toUrl('/console/tour/HB-M10?v=1&module=vr.module&node=HB-P09&pan=123&tilt=-7&fov=58'));
  await expect(page.getByRole('application').locator('button:visible').first()).toBeVisible();
  await waitUntilStable(page);
  return page;
}

/** Lists the elements of the frame's bars that are smaller than a touch target or beyond their bar or the window. */
const listUnfitTargets = (page: Page): Promise<readonly string[]> =>
  page.evaluate(
    (min) =>
      [...document.querySelectorAll('header, nav[aria-label^="Tour modules"], [role=toolbar]')].flatMap((bar) => {
        const edge = bar.getBoundingClientRect();
        return [...bar.querySelectorAll('button, a[href]')].flatMap((element) => {
          const box = element.getBoundingClientRect();
          if (box.width === 0) return [];
          const unfit =
            box.width < min ||
            box.height < min ||
            box.left < Math.max(0, edge.left - 1) ||
            box.right > Math.min(innerWidth, edge.right + 1) ||
            box.top < edge.top - 1 ||
            box.bottom > edge.bottom + 1;
          return unfit ? [`${element.getAttribute('aria-label') ?? element.textContent} ${JSON.stringify(box)}`] : [];
        });
      }),
    minTargetPx,
  );

for (const [width, height] of [
  [1024, 768],
  [390, 844],
] as const)
  test(`has no small, cut off or faded control and no orphan tooltip by touch at ${width} pixels`, async ({
    browser,
  }) => {
    const page = await openTourByTouch(browser, width, height);
    expect(await listUnfitTargets(page)).toEqual([]);
    await page.getByRole('button', { name: /^Split view/ }).tap();
    await expect(page.getByRole('separator')).toBeVisible();
    // Longer than the tooltip delay. `waitUntilStable` is unsuitable, because its key press would show the keyboard focus.
    await page.evaluate(() => window.glWatch.waitUntilQuiet(30));
    expect(await listUnfitTargets(page)).toEqual([]);
    expect(await page.getByRole('tooltip').allTextContents()).toEqual([]);
    const separator = await page.getByRole('separator').boundingBox();
    if (!separator) throw new Error('The divider is not visible.');
    // The touch target of the divider is wider than the divider.
    const [centreX, centreY] = [separator.x + separator.width / 2, separator.y + separator.height / 2];
    for (const offset of [-19, 19]) {
      const point: Finger = width < 640 ? [centreX + 80, centreY + offset] : [centreX + offset, centreY + 80];
      const role = await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.getAttribute('role'), point);
      expect(role).toBe('separator');
    }
    const bar = page.getByRole('toolbar');
    const gyroscope = bar.getByRole('button', { name: 'Look around by moving the device' });
    const cloud = bar.getByRole('button', { name: 'Point cloud' });
    if (width < 640) {
      // One row, in which the tools of one module are behind a button.
      expect((await bar.boundingBox())?.height).toBeLessThan(minTargetPx * 1.5);
      await expect(gyroscope).toBeHidden();
      await bar.getByRole('button', { name: 'More tools' }).tap();
      expect(await listUnfitTargets(page)).toEqual([]);
    }
    await expect(gyroscope).toBeVisible();
    await cloud.tap();
    await expect(cloud).toHaveAttribute('aria-pressed', 'true');
    if (width < 640) {
      // The expanded tools follow their button in the order of the keyboard.
      await bar.getByRole('button', { name: 'More tools' }).focus();
      await page.keyboard.press('Enter');
      await expect(cloud).toBeHidden();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await expect(bar.getByRole('group', { name: 'Panorama' }).getByRole('button').first()).toBeFocused();
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Enter');
      await expect(cloud).toBeHidden();
    }
    await page.context().close();
  });

test('goes to the nearest viewpoint of the map by touch', async ({ browser }) => {
  const page = await openTourByTouch(browser, 1024, 768);
  const map = page.getByRole('region', { name: /^Map/ });
  /** The two viewpoints with the least distance, of those that are not current. */
  const findPair = () =>
    map.evaluate((element) => {
      const dots = [...element.querySelectorAll('[role=group] button:not([aria-current])')].map((dot) => {
        const { left, top, width, height } = dot.getBoundingClientRect();
        const name = (dot.getAttribute('aria-label') ?? '').replace(/, visited$/, '');
        return { name, x: left + width / 2, y: top + height / 2 };
      });
      const pairs = dots.flatMap((a) =>
        dots.flatMap((b) => (a === b ? [] : [{ a, b, px: Math.hypot(a.x - b.x, a.y - b.y) }])),
      );
      return pairs.toSorted((one, other) => one.px - other.px)[0];
    });
  for (const isReversed of [false, true]) {
    const pair = await findPair();
    if (!pair) throw new Error('The map has fewer than two viewpoints.');
    expect(pair.px, 'the targets overlap').toBeLessThan(minTargetPx);
    const [to, other] = isReversed ? [pair.b, pair.a] : [pair.a, pair.b];
    // Nearer to one, but over the targets of both.
    await page.touchscreen.tap(to.x + (other.x - to.x) * 0.45, to.y + (other.y - to.y) * 0.45);
    await expect(map.locator('[aria-current]')).toHaveAccessibleName(to.name);
  }
  await page.context().close();
});

test('resizes a sheet by a grip that is large enough for fingers', async ({ browser }) => {
  const page = await openTourByTouch(browser, 390, 844);
  await page.getByRole('button', { name: 'Viewpoints', exact: true }).tap();
  const sheet = page.getByRole('complementary', { name: 'Viewpoints' });
  await expect(sheet).toBeVisible();
  const box = await sheet.boundingBox();
  if (!box) throw new Error('The sheet is not visible.');
  for (const offset of [1, minTargetPx - 1]) {
    const point: Finger = [box.x + 60, box.y + offset];
    const role = await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.getAttribute('role'), point);
    expect(role, `at ${offset} pixels`).toBe('separator');
  }
  await page.touchscreen.tap(box.x + 60, box.y + minTargetPx - 4);
  await expect.poll(async () => (await sheet.boundingBox())?.height).toBeGreaterThan(box.height + minTargetPx);
  await sheet.getByRole('button', { name: 'Close', exact: true }).tap();
  await expect(sheet).toBeHidden();
  await page.context().close();
});

test('selects the title of a sheet with a mouse in a narrow window', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, people.staff);
  await page.goto(toUrl('/console/tour?tag=LV-1003'));
  await page
    .getByRole('complementary', { name: 'LV-1003' })
    .getByRole('heading', { name: 'LV-1003' })
    .dblclick({ position: { x: 12, y: 12 } });
  expect(await page.evaluate(() => getSelection()?.toString())).toMatch(/LV|1003/);
});

/** Moves fingers in steps along lines, as a touch screen reports it. */
async function moveFingers(session: CDPSession, from: readonly Finger[], to: readonly Finger[]): Promise<void> {
  const steps = 6;
  const toPoints = (fraction: number) =>
    from.map(([x, y], id) => ({ id, x: x + (to[id]![0] - x) * fraction, y: y + (to[id]![1] - y) * fraction }));
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: toPoints(0) });
  for (let step = 1; step <= steps; step++)
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: toPoints(step / steps) });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

const distance = (a: DrawnView, b: DrawnView): number => {
  if (!a.eye || !b.eye) throw new Error('The view has no position.');
  return Math.hypot(...a.eye.map((value, axis) => value - b.eye![axis]!));
};

test('[TOUR-23] shows the tag of a link above the panel of a phone, and types the search after one tap', async ({
  browser,
}) => {
  const page = await openTourByTouch(browser, 390, 844);
  const panel = page.getByRole('complementary', { name: 'LV-1003' });
  const pin = page.getByRole('application').getByRole('button', { name: /^LV-1003/ });
  for (const link of ['/console/tour?tag=LV-1003', '/console/tour/HB-M10?module=vr.module&tag=lv1003']) {
    await page.goto(toUrl(link));
    await expect(panel).toBeVisible();
    await expect
      .poll(async () => {
        const [pinBox, panelBox] = await Promise.all([pin.boundingBox(), panel.boundingBox()]);
        return pinBox !== null && panelBox !== null && pinBox.y > 0 && pinBox.y + pinBox.height < panelBox.y;
      }, link)
      .toBe(true);
  }
  await panel.getByRole('button', { name: 'Close', exact: true }).tap();
  await page.getByRole('button', { name: /^Search/ }).tap();
  await expect(page.getByRole('combobox', { name: /^Search/ })).toBeFocused();
  await page.context().close();
});

for (const { module, open } of [
  {
    module: 'point cloud',
    open: async (page: Page) => {
      await page.getByRole('button', { name: 'Scan', exact: true }).tap();
      await page.getByRole('button', { name: 'Point cloud', exact: true }).tap();
      // While a software renderer draws new points, a tap can take longer than an action may.
      await page.evaluate(() => window.glWatch.waitUntilQuiet(20));
      // Only the shader of heights has the position of the eye.
      await page.getByRole('button', { name: 'Point display', exact: true }).tap();
      await page.getByRole('tab', { name: 'Height' }).tap();
      await page.getByRole('button', { name: 'Close point display' }).tap();
    },
  },
  {
    module: '3D model',
    open: async (page: Page) => {
      await page.getByRole('button', { name: '3D model', exact: true }).tap();
      // The list of objects appears once the model has loaded, and the view has its place in it.
      await page.getByRole('button', { name: 'Show objects' }).tap();
      await expect(page.getByRole('treeitem').first()).toBeVisible();
      await page.getByRole('region', { name: 'Objects' }).getByRole('button', { name: 'Close objects' }).tap();
    },
  },
])
  test(`looks by one finger, pans by two and moves by a pinch in the ${module}`, async ({ browser }) => {
    const page = await openTourByTouch(browser, 1024, 768);
    await open(page);
    await expect
      .poll(async () => (await page.evaluate(() => window.glWatch.listViews()))[0]?.eye !== undefined)
      .toBe(true);
    const readView = async (): Promise<DrawnView> => {
      await page.evaluate(() => window.glWatch.waitUntilQuiet(20));
      const [view] = await page.evaluate(() => window.glWatch.listViews());
      if (!view) throw new Error('Nothing is drawn.');
      return view;
    };
    /** Reads the view once an input has had its effect. On a busy machine, the frame with the effect may come late. */
    const readViewOnce = async (computeEffect: (view: DrawnView) => number, min: number): Promise<DrawnView> => {
      await expect.poll(async () => computeEffect(await readView())).toBeGreaterThan(min);
      return readView();
    };
    const session = await page.context().newCDPSession(page);
    const start = await readView();
    await moveFingers(session, [[500, 350]], [[620, 380]]);
    const turnedView = await readViewOnce(({ pan }) => Math.abs(pan - start.pan), 3);
    expect(Math.abs(turnedView.tilt - start.tilt)).toBeGreaterThan(1);
    expect(distance(start, turnedView)).toBeLessThan(0.05);

    await moveFingers(
      session,
      [
        [450, 350],
        [550, 350],
      ],
      [
        [510, 350],
        [610, 350],
      ],
    );
    const pannedView = await readViewOnce((view) => distance(turnedView, view), 0.1);
    expect(Math.abs(pannedView.pan - turnedView.pan)).toBeLessThan(0.5);
    expect(Math.abs(pannedView.tilt - turnedView.tilt)).toBeLessThan(0.5);

    await moveFingers(
      session,
      [
        [480, 350],
        [540, 350],
      ],
      [
        [400, 350],
        [620, 350],
      ],
    );
    const movedView = await readViewOnce((view) => distance(pannedView, view), 0.1);
    expect(Math.abs(movedView.pan - pannedView.pan)).toBeLessThan(0.5);
    await page.context().close();
  });
