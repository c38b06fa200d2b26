import { expect, test, type Page } from '@playwright/test';
import { plant } from '../../cli/demo/plant/plant.ts';
import { FaultyProxy } from './faulty-proxy.ts';
import { watchGl } from '../browser/gl-watch.ts';
import { getJourneyOrigin, people, signIn, signInOnPage } from './people.ts';
import { chooseTool } from './plant-view.ts';

// The window is small, because software rendering is slow.
const size = { width: 1120, height: 560 };
test.use({ viewport: size });

const files = {
  tiles: /\/api\/files\/.*\/[12]\/\d+_\d+\.jpg$/,
  preview: /\/preview\.jpg$/,
  ranges: /\/range\/.*\.webp$/,
  tileset: /\/tileset\.json$/,
  points: /\.glb$/,
  finerPoints: /\/r.+\.glb$/,
  model: /\/api\/files\/[0-9a-f]+$/,
} as const;

let proxy: FaultyProxy;
test.beforeAll(async () => {
  proxy = await FaultyProxy.startFor(getJourneyOrigin());
});
test.afterAll(() => proxy.close());
test.beforeEach(async ({ page }) => {
  proxy.removeFaults();
  await watchGl(page);
  await signIn(page, people.admin, proxy.url);
});

async function open(page: Page, module: 'vr' | 'scan' | 'model-3d', node = 'HB-P09'): Promise<void> {
  const position = plant.nodes.find(({ code }) => code === node)?.position.join(',') ?? '';
  await page.goto(
    `${proxy.url}/dashboard/console/tour/HB-M10?v=1&module=${module}.module&node=${node}&pan=15&tilt=3&fov=60&pos=${position}`,
  );
}
const clickButton = (page: Page, button: string) => page.getByRole('button', { name: button, exact: true }).click();
const visibleText = (page: Page, text: string | RegExp) => page.getByText(text).filter({ visible: true }).first();

/** Waits until the images are drawn and nothing is loading. */
async function waitUntilDrawn(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => window.glWatch.listViews().length)).toBeGreaterThan(0);
  await page.evaluate(() => window.glWatch.waitUntilQuiet(20));
}

/** Expects the message, fixes the cause and continues by the message's button. */
async function expectRecovery(
  page: Page,
  message: string | RegExp,
  fix = (): void => proxy.removeFaults(),
): Promise<void> {
  await expect(visibleText(page, message)).toBeVisible();
  fix();
  await clickButton(page, 'Try again');
  await expect(visibleText(page, message)).toBeHidden();
  await waitUntilDrawn(page);
}

test('[TOUR-05] restores the image in panorama, scan, cloud and model after the graphics context was lost', async ({
  page,
}) => {
  const lostMessage = visibleText(page, 'The graphics of this device stopped.');
  const newestCanvas = (): Promise<number> => page.evaluate(() => window.glWatch.listViews().at(-1)?.canvas ?? -1);
  let previous = -1;
  await open(page, 'vr');
  for (const button of ['Panorama', 'Scan', 'Point cloud', '3D model']) {
    await clickButton(page, button);
    // Panorama and scan share a canvas.
    if (button !== 'Scan') await expect.poll(newestCanvas, button).toBeGreaterThan(previous);
    await waitUntilDrawn(page);
    expect(await page.evaluate(() => window.glWatch.loseContexts()), button).toBe(1);
    await expect(lostMessage, button).toBeVisible();
    await page.evaluate(() => window.glWatch.restore());
    await expect(lostMessage, button).toBeHidden();
    await waitUntilDrawn(page);
    previous = await newestCanvas();
  }
  await clickButton(page, 'Panorama');
  await expect.poll(newestCanvas).not.toBe(previous);
  await waitUntilDrawn(page);
  expect(await page.evaluate(() => window.glWatch.loseContexts())).toBe(1);
  // The person goes to another viewpoint while nothing is drawn.
  await page.getByRole('button', { name: 'Viewpoints' }).click();
  await page.getByRole('button', { name: /^E-1101 coolers ?(HB-P04|[Vv]isited)/ }).click();
  await page.evaluate(() => window.glWatch.restore());
  await expect(page.getByRole('button', { name: /^Go to / }).first()).toBeVisible();
  expect(await page.evaluate(() => window.glWatch.loseContexts())).toBe(1);
  const urlBefore = page.url();
  await clickButton(page, 'Reload');
  await waitUntilDrawn(page);
  expect(page.url()).toBe(urlBefore);
});

test('[TOUR-15:background] reports a damaged, truncated or missing image in panorama and scan', async ({ page }) => {
  const partsMessage = 'Some parts of the image could not be loaded: it is not sharp everywhere.';
  proxy.addFault(files.preview, 'cut');
  await open(page, 'vr');
  await expectRecovery(page, 'Failed to Retrieve Data');
  proxy.addFault(files.tiles, 'damaged');
  await open(page, 'vr', 'HB-P03');
  await expectRecovery(page, partsMessage);
  proxy.addFault(files.tiles, 'reset');
  await open(page, 'scan', 'HB-P06');
  await expectRecovery(page, partsMessage);
});

test('[TOUR-08] reports unreadable range images on a click and measures after they have loaded', async ({ page }) => {
  proxy.addFault(files.ranges, 'cut');
  await open(page, 'scan');
  await waitUntilDrawn(page);
  const bar = await chooseTool(page, 'Measure', 'Distance');
  // Labels of annotations of other journeys are on the vessel.
  const floor = { x: 600, y: 420 };
  const picture = page.getByTestId('annotate-overlay').locator('xpath=../..');
  await picture.click({ position: floor });
  await expect(bar.getByRole('status')).toHaveText(
    'The depth here could not be loaded. Check the connection and try again',
  );
  proxy.removeFaults();
  await picture.click({ position: floor });
  await expect(bar.getByRole('button', { name: 'Undo point' })).toBeEnabled();
  await expect(bar.getByRole('status')).not.toContainText('could not be read');
});

test('[TOUR-14] reports a damaged or truncated cloud and loads it again', async ({ page }) => {
  proxy.addFault(files.tileset, 'cut');
  await open(page, 'scan');
  await clickButton(page, 'Point cloud');
  await expect(
    visibleText(page, 'Check the connection and try again. You can also go to another viewpoint.'),
  ).toBeVisible();
  proxy.removeFaults();
  proxy.addFault(files.tileset, 'damaged');
  await clickButton(page, 'Try again');
  await expectRecovery(page, /^The point cloud .* cannot be read$/);
  proxy.addFault(files.finerPoints, 'damaged');
  proxy.addFault(/\/r[0-3].*\.glb$/, 'cut');
  await page.reload();
  await clickButton(page, 'Point cloud');
  await expectRecovery(page, 'Some parts of the point cloud could not be loaded.');
  expect(proxy.faultCounts.get('damaged'), 'tiles damaged').toBeGreaterThan(1);
  expect(proxy.faultCounts.get('cut'), 'tiles cut off').toBeGreaterThan(1);
  proxy.addFault(files.points, 'cut');
  await page.reload();
  await clickButton(page, 'Point cloud');
  await expectRecovery(page, /^The point cloud .* cannot be read$/);
});

test('[TOUR-13] reports a missing, damaged or unreachable model and loads it again', async ({ page }) => {
  const loadFailure = 'The 3D model could not be loaded';
  proxy.addFault(/\/api\/model-3d\/HB-M10\/models$/, 500);
  await open(page, 'model-3d');
  await expect(visibleText(page, loadFailure)).toBeVisible();
  for (const [fault, message] of [
    [404, loadFailure],
    ['reset', loadFailure],
    ['cut', loadFailure],
    ['damaged', 'The 3D model cannot be read'],
  ] as const) {
    proxy.removeFaults();
    proxy.addFault(files.model, fault);
    const previous = proxy.faultCounts.get(fault) ?? 0;
    await clickButton(page, 'Try again');
    await expect.poll(() => proxy.faultCounts.get(fault) ?? 0).toBeGreaterThan(previous);
    await expect(visibleText(page, message)).toBeVisible();
  }
  // The card is in the middle of the area beside a panel.
  await clickButton(page, 'Viewpoints');
  const panel = page.getByRole('complementary', { name: 'Viewpoints' });
  const card = page.getByRole('alert').filter({ hasText: 'The 3D model cannot be read' });
  await expect
    .poll(async () => {
      const [cardBox, panelBox] = await Promise.all([card.boundingBox(), panel.boundingBox()]);
      return cardBox && panelBox ? cardBox.x + cardBox.width / 2 - panelBox.x / 2 : undefined;
    })
    .toBeCloseTo(0, 0);
  await expectRecovery(page, 'The 3D model cannot be read');
});

test('[TOUR-14] reports an expired scan token with the specified text and continues with a new token', async ({
  page,
}) => {
  const message = "It look's like Scan Token has expired";
  let valid = true;
  await page.route(/\/api\/scan\/HB-M10$/, async (route) => {
    const reply = await route.fetch();
    const body = (await reply.json()) as { readonly stations: readonly unknown[] };
    // The token expires with the first refused tile.
    valid &&= !proxy.faultCounts.has(403);
    await route.fulfill({
      response: reply,
      json: {
        stations: valid ? body.stations : [],
        token: { state: valid ? 'VALID' : 'EXPIRED', expiresAt: '2100-01-01T00:00:00.000Z' },
      },
    });
  });
  const renewToken = (): void => {
    proxy.removeFaults();
    proxy.faultCounts.clear();
    valid = true;
  };
  proxy.addFault(files.finerPoints, 403);
  await open(page, 'scan');
  await clickButton(page, 'Point cloud');
  await expect(visibleText(page, message)).toBeVisible();
  await expect(visibleText(page, 'Please ask the admin for a new scan token, then try again.')).toBeVisible();
  // Without a new token the message stays. This attempt must end before the fault is removed.
  const stillExpired = page.waitForResponse(/\/api\/scan\/HB-M10$/);
  await clickButton(page, 'Try again');
  await stillExpired;
  await expectRecovery(page, message, renewToken);
  await clickButton(page, 'Image');
  await waitUntilDrawn(page);
  proxy.addFault(files.ranges, 403);
  await chooseTool(page, 'Measure', 'Distance');
  await page
    .getByTestId('annotate-overlay')
    .locator('xpath=../..')
    .click({ position: { x: 500, y: 300 } });
  await expectRecovery(page, message, renewToken);
});

test('[TOUR-05] restores the view after a logout in another tab and a new login', async ({ page, context }) => {
  await open(page, 'scan');
  await waitUntilDrawn(page);
  proxy.addFault(/^\/(api|auth)\//, 401);
  await clickButton(page, 'Point cloud');
  const expiryNotice = visibleText(page, /^Your session has expired\./);
  await expect(expiryNotice).toBeVisible();
  proxy.removeFaults();
  await context.clearCookies();
  const otherPage = await context.newPage();
  await signInOnPage(otherPage, people.admin, `${proxy.url}/dashboard/login`);
  await otherPage.close();
  await expect(expiryNotice).toBeHidden();
  await expect(page.getByRole('application', { name: /^Point cloud/ })).toBeVisible();
  await waitUntilDrawn(page);
});
