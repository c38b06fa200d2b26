import { readFile } from 'node:fs/promises';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { people, signIn } from './people.ts';
import { chooseTool, lookAt, PlantView, type NodeView } from './plant-view.ts';

const size = { width: 1440, height: 900 };
// A snapshot has as many pixels as the screen.
test.use({ viewport: size, deviceScaleFactor: 1 });

const look: NodeView = { node: 'HB-P09', pan: 15, tilt: 3, fov: 60 };
/** Unique for each run, because a running server may have the snapshots of earlier runs. */
const snapshotName = `Flange é №${Date.now() % 100_000}`;
const findPanel = (page: Page): Locator => page.getByRole('complementary', { name: 'Snapshots' });

async function download(page: Page, card: Locator, button: string): Promise<Buffer> {
  const [started] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('button', { name: button, exact: true }).click(),
  ]);
  return readFile(await started.path());
}

test('[TOUR-11] saves a snapshot with its image despite a network failure and exports it as PNG and PDF', async ({
  page,
  browser,
}) => {
  await signIn(page, people.admin);
  const picture = await lookAt(page, 'scan.module', look);
  const bar = await chooseTool(page, 'Measure', 'Coordinates');
  await picture.click({ position: new PlantView(look, size).toPixel([-12.3, 7.75, 1.6]) });
  await bar.getByRole('button', { name: /^Show measurements/ }).click();
  await expect(page.getByRole('complementary', { name: 'Measurements' }).getByRole('listitem').first()).toContainText(
    'Coordinates',
  );
  await bar.getByRole('button', { name: 'Stop measuring' }).click();

  // The data is uploaded, but the image is not.
  await page.route('**/snapshots/*/picture', (route) => route.abort());
  await page.getByRole('button', { name: 'Snapshot', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Take a snapshot' }).click();
  const dialog = page.getByRole('dialog', { name: 'Take a snapshot' });
  await expect(dialog.getByRole('img', { name: 'Preview' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByText('Enter a name for the snapshot')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Name' }).fill(snapshotName);
  await dialog.getByRole('textbox', { name: 'Remark' }).fill('Gasket drips');
  await dialog.getByRole('switch', { name: /Shared/ }).click();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  const card = findPanel(page).getByRole('listitem').filter({ hasText: snapshotName });
  await expect(card).toContainText('Image not saved yet');

  await page.unroute('**/snapshots/*/picture');
  await page.reload();
  await page.getByRole('button', { name: 'Snapshot', exact: true }).click();
  await page.getByRole('menuitem', { name: /Show snapshots/ }).click();
  await expect(card.locator('img')).toHaveAttribute('src', /\/api\/files\/.+\/thumbnail\.jpg$/);
  await expect(card).not.toContainText('not saved');

  const png = await download(page, card, 'PNG');
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size.width, size.height]);
  const pdf = await download(page, card, 'PDF sheet');
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');

  await page.goto('about:blank');
  const colleague = await browser.newPage({ viewport: size, locale: 'en-GB' });
  await signIn(colleague, people.staff);
  await lookAt(colleague, 'vr.module', { ...look, node: 'HB-P01', pan: 200 });
  await colleague.getByRole('button', { name: 'Snapshot', exact: true }).click();
  await colleague.getByRole('menuitem', { name: /Show snapshots/ }).click();
  const colleaguesCard = findPanel(colleague).getByRole('listitem').filter({ hasText: snapshotName });
  await expect(colleaguesCard.getByRole('button', { name: 'Delete' })).toHaveCount(0);
  await colleaguesCard.getByRole('button', { name: snapshotName, exact: true }).click();
  await expect
    .poll(() =>
      Object.fromEntries(
        ['module', 'node', 'pan', 'tilt', 'fov'].map((name) => [name, new URL(colleague.url()).searchParams.get(name)]),
      ),
    )
    .toEqual({ module: 'scan.module', node: 'HB-P09', pan: '15', tilt: '3', fov: '60' });
  await colleague.close();
});
