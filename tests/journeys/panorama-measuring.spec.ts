import { expect, test, type Page, type Route } from '@playwright/test';
import type { MeasurementInput } from '#plugins/annotate';
import type { OpenedTour } from '#plugins/tour';
import { people, signIn } from './people.ts';
import { chooseTool, lookAt, PlantView, type NodeView } from './plant-view.ts';

const size = { width: 1440, height: 900 };
// The service worker would answer with the tour that it keeps for offline use.
test.use({ viewport: size, serviceWorkers: 'block' });

/** A view from the north aisle to the sign of test separator V-1002. */
const signView: NodeView = { node: 'HB-P09', pan: 15, tilt: 3, fov: 60 };
const plantView = new PlantView(signView, size);
const [startPixel, endPixel] = [plantView.toPixel([-9.9, 7.67, 1.85]), plantView.toPixel([-8.9, 7.67, 2.1])];
const [start, end] = [plantView.findHit(startPixel).point, plantView.findHit(endPixel).point];
const distance = Math.hypot(start[0] - end[0], start[1] - end[1], start[2] - end[2]);

/** Removes the range images from the answers of the server, as of panoramas from a camera without a scanner. */
async function removeRanges(page: Page): Promise<void> {
  await page.route(/\/api\/tour\/HB-M10(\?|$)/, async (route: Route) => {
    const response = await route.fetch();
    const tour = (await response.json()) as OpenedTour;
    const nodes = tour.nodes.map((node) => ({
      ...node,
      picture: node.picture && { ...node.picture, ranges: undefined },
    }));
    await route.fulfill({ response, json: { ...tour, nodes } });
  });
}
async function replyWithNothing(page: Page, urlPattern: string): Promise<void> {
  await page.route(urlPattern, (route) => route.fulfill({ json: [] }));
}

/** Measures the distance between the two points by clicks, without snapping, and returns what is saved. */
async function measureDistance(page: Page, picture: Awaited<ReturnType<typeof lookAt>>): Promise<MeasurementInput> {
  const bar = page.getByRole('group', { name: 'Distance', exact: true });
  const saveRequest = page.waitForRequest(
    (request) => request.method() === 'PUT' && request.url().includes('/measurements/'),
  );
  await picture.click({ position: startPixel, modifiers: ['Shift'] });
  await expect(bar.getByRole('button', { name: 'Undo point' })).toBeEnabled();
  await picture.click({ position: endPixel, modifiers: ['Shift'] });
  await bar.getByRole('button', { name: 'Finish' }).click();
  return (await saveRequest).postDataJSON() as MeasurementInput;
}

test('[TOUR-21] measures and annotates in a panorama with the depth of its range image', async ({ page }) => {
  await signIn(page, people.admin);
  const picture = await lookAt(page, 'vr.module', signView);
  await chooseTool(page, 'Measure', 'Distance');
  const { result, points } = await measureDistance(page, picture);
  expect(points.map(({ source }) => source)).toEqual(['RANGE_IMAGE', 'RANGE_IMAGE']);
  expect(Math.abs((result.value ?? 0) - distance), 'metres off').toBeLessThan(0.008);
  expect(result.sigma).toBeLessThan(0.02);

  const bar = await chooseTool(page, 'Annotate', 'Text label');
  await picture.click({ position: startPixel });
  await bar.getByRole('textbox', { name: 'Text' }).fill('Sign of V-1002');
  const saveRequest = page.waitForRequest(
    (request) => request.method() === 'PUT' && request.url().includes('/annotations/'),
  );
  await bar.getByRole('button', { name: 'Save' }).click();
  const annotation = (await saveRequest).postDataJSON() as MeasurementInput;
  expect(
    Math.hypot(...(annotation.points[0]?.point ?? []).map((value, axis) => value - (start[axis] ?? 0))),
  ).toBeLessThan(0.01);
});

test('[TOUR-21] measures in a panorama without ranges with the depth and uncertainty of the point cloud', async ({
  page,
}) => {
  await removeRanges(page);
  await signIn(page, people.admin);
  const picture = await lookAt(page, 'vr.module', signView);
  await chooseTool(page, 'Measure', 'Distance');
  const { result, points } = await measureDistance(page, picture);
  expect(points.map(({ source }) => source)).toEqual(['POINT_CLOUD', 'POINT_CLOUD']);
  const error = Math.abs((result.value ?? 0) - distance);
  expect(error, 'metres off').toBeLessThan(0.03);
  // The direction of such a picture is not known exactly.
  expect(result.sigma).toBeGreaterThan(0.01);
  expect(error).toBeLessThan(2 * (result.sigma ?? 0));
});

test('[TOUR-21] measures in a panorama without ranges and cloud with the depth of the model, even of hidden objects', async ({
  page,
}) => {
  await removeRanges(page);
  await replyWithNothing(page, '**/api/scan/HB-M10/clouds');
  await signIn(page, people.admin);
  const picture = await lookAt(page, 'vr.module', signView, '&l.hidden=0-5');
  await chooseTool(page, 'Measure', 'Distance');
  const { result, points } = await measureDistance(page, picture);
  expect(points.map(({ source }) => source)).toEqual(['MODEL', 'MODEL']);
  expect(Math.abs((result.value ?? 0) - distance), 'metres off').toBeLessThan(0.008);
});

test('[TOUR-21] continues in the scan at the same view with the same tool if the depth is unknown', async ({
  page,
}) => {
  await removeRanges(page);
  await replyWithNothing(page, '**/api/scan/HB-M10/clouds');
  await replyWithNothing(page, '**/api/model-3d/HB-M10/models');
  await signIn(page, people.admin);
  const picture = await lookAt(page, 'vr.module', signView);
  const bar = await chooseTool(page, 'Measure', 'Distance');
  await picture.click({ position: startPixel, modifiers: ['Shift'] });
  await expect(bar.getByRole('status')).toHaveText('The depth of this view is unknown');
  await bar.getByRole('button', { name: 'Continue in Scan' }).click();
  await expect(page.getByRole('button', { name: 'Scan', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await expect(bar.getByRole('status')).toHaveText('Click the first point');
  const { result } = await measureDistance(page, picture);
  expect(Math.abs((result.value ?? 0) - distance), 'metres off').toBeLessThan(0.008);
});
