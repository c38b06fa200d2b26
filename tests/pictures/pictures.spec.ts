import path from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import sharp from 'sharp';
import { toUrl, people, signIn } from '../journeys/people.ts';
import { waitUntilStable } from '../journeys/visit.ts';

const folder = path.resolve(import.meta.dirname, '..', '..', 'docs', 'pictures');

async function savePicture(page: Page, name: string): Promise<void> {
  await waitUntilStable(page);
  await sharp(await page.screenshot())
    .resize({ width: 1280 })
    .jpeg({ quality: 85, mozjpeg: true })
    .toFile(path.join(folder, `${name}.jpg`));
}

test('takes screenshots of login, tour, home and the units of a site', async ({ page }) => {
  await page.goto(toUrl('/login'));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await savePicture(page, 'login');

  await signIn(page, people.admin);
  await page.goto(toUrl('/console/tour/HB-M10'));
  await expect(page.getByRole('button', { name: /^Go to E-1101 coolers/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Measure' })).toBeVisible();
  await savePicture(page, 'tour');

  await page.goto(toUrl('/console/home'));
  await expect(page.getByRole('link', { name: /Continue where you left off/ })).toBeVisible();
  await savePicture(page, 'home');

  await page.goto(toUrl('/console/unit/HB'));
  await expect(page.getByRole('heading', { level: 1, name: 'Halvorsen Bravo' })).toBeVisible();
  await savePicture(page, 'unit');
});
