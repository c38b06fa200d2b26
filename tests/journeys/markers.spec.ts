import { expect, test, type Page } from '@playwright/test';
import sharp from 'sharp';
import { plant } from '../../cli/demo/plant/plant.ts';
import { toUrl, people, signIn } from './people.ts';
import { PlantView, type NodeView } from './plant-view.ts';

const size = { width: 1024, height: 640 };
test.use({ viewport: size });

const look: NodeView = { node: 'HB-P03', pan: 150, tilt: -4, fov: 75 };

async function openView(page: Page, { node, pan, tilt, fov }: NodeView, layers = ''): Promise<void> {
  const [x, y, z] = plant.nodes.find(({ code }) => code === node)?.position ?? [0, 0, 0];
  await page.goto(
    toUrl(
      `/console/tour/HB-M10?v=1&module=vr.module&node=${node}&pan=${pan}&tilt=${tilt}&fov=${fov}&pos=${x},${y},${z}${layers}`,
    ),
  );
  // Pins are placed once the image is drawn.
  await expect(page.getByRole('application').locator('button:visible').first()).toBeVisible();
}

test('compares two dates of a viewpoint by a slider whose position is restored from the URL', async ({ page }) => {
  const valve = plant.valves.find(({ tag }) => tag === 'LV-1003');
  if (!valve) throw new Error('The demo plant has no LV-1003.');
  // The bonnet of the valve is rusty in the first capture and painted blue in the second.
  const { x, y } = new PlantView(look, size).toPixel([valve.at[0], valve.at[1], valve.at[2] + 0.27]);
  const redOverBlue = async (): Promise<number> => {
    const { data } = await sharp(await page.screenshot({ clip: { x: x - 3, y: y - 3, width: 6, height: 6 } }))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const mean = (channel: number): number =>
      data.filter((_, index) => index % 3 === channel).reduce((sum, value) => sum + value, 0);
    return mean(0) / mean(2);
  };
  await signIn(page, people.staff);
  await openView(page, look);
  await page.getByRole('button', { name: 'Compare two dates' }).click();
  const slider = page.getByRole('slider', { name: /older image/ });
  await expect(slider).toHaveAttribute('aria-valuenow', '50');
  // Only the slider and its dates are over the pictures.
  await expect(page.getByRole('button', { name: 'Measure' })).toBeHidden();
  await expect(page.getByRole('application').locator('button:visible')).toHaveCount(0);
  const box = await slider.boundingBox();
  if (!box) throw new Error('The slider is not visible.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(size.width * 0.9, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect(slider).toHaveAttribute('aria-valuenow', '90');
  await expect.poll(redOverBlue).toBeGreaterThan(1.2);
  await slider.press('Home');
  await slider.press('PageUp');
  await expect.poll(redOverBlue).toBeLessThan(0.8);
  await expect.poll(() => new URL(page.url()).searchParams.get('l.compare')).toBe('2025-11-18~10');
  await page.reload();
  await expect(slider).toHaveAttribute('aria-valuenow', '10');
  await page.keyboard.press('Escape');
  await expect(slider).toBeHidden();
  await expect(page.getByRole('button', { name: 'Measure' })).toBeVisible();
  await expect(page.getByRole('application').locator('button:visible').first()).toBeVisible();
});

test('draws an area by three clicks that a colleague sees on the same surface', async ({ page, browser }) => {
  const view = new PlantView({ ...look, pan: 215, tilt: -6 }, size);
  const corners = [
    { x: 560, y: 210 },
    { x: 640, y: 230 },
    { x: 620, y: 280 },
  ];
  const points = corners.map((corner) => view.findHit(corner).point);
  await signIn(page, people.admin);
  await openView(page, { ...look, pan: 215, tilt: -6 });
  await page.getByRole('button', { name: /^Markers/ }).click();
  await page.getByRole('menuitem', { name: 'New area marker' }).click();
  for (const [index, { x, y }] of corners.entries()) {
    await page.mouse.click(x, y);
    await expect(page.getByRole('button', { name: `Corner ${index + 1}.` })).toBeAttached();
  }
  await page.getByRole('button', { name: 'Continue' }).click();
  const panel = page.getByRole('complementary', { name: 'New marker' });
  await panel.getByLabel('Name').fill('Loose cladding');
  await panel.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('complementary', { name: 'Loose cladding' })).toBeVisible();
  await expect.poll(() => new URL(page.url()).searchParams.get('l.marker')).not.toBeNull();
  const layer = `&l.marker=${new URL(page.url()).searchParams.get('l.marker')}`;

  // In another view by another person, the corners match the plant within 20 mm, which is the size of a range image's
  // pixel at five metres.
  const theirLook: NodeView = { node: 'HB-P03', pan: 195, tilt: 4, fov: 60 };
  const colleaguesView = new PlantView(theirLook, size);
  const colleague = await browser.newPage({ viewport: size, locale: 'en-GB' });
  await signIn(colleague, people.staff);
  await openView(colleague, theirLook, layer);
  const outline = colleague.getByRole('button', { name: 'Note: Loose cladding' }).locator('path').last();
  await expect(outline).toBeVisible();
  const drawnCorners = [...((await outline.getAttribute('d')) ?? '').matchAll(/[ML]([\d.-]+) ([\d.-]+)/g)].map(
    ([, x, y]) => ({
      x: Number(x),
      y: Number(y),
    }),
  );
  for (const point of points) {
    const { x, y } = colleaguesView.toPixel(point);
    expect(Math.min(...drawnCorners.map((corner) => Math.hypot(corner.x - x, corner.y - y)))).toBeLessThan(4);
  }
  await expect(
    colleague.getByRole('complementary', { name: 'Loose cladding' }).getByRole('button', { name: 'Delete' }),
  ).toHaveCount(0);
  await colleague.close();

  const details = page.getByRole('complementary', { name: 'Loose cladding' });
  await details.getByRole('button', { name: 'Delete' }).click();
  await details.getByRole('button', { name: 'Delete for everyone' }).click();
  await expect(page.getByRole('button', { name: 'Note: Loose cladding' })).toHaveCount(0);
});
