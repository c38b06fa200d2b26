import { expect, test } from '@playwright/test';
import { people, signIn, toUrl } from './people.ts';

test('keeps the bar of the page in view while a dialog is open on a scrolled page', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 500 });
  await signIn(page, people.admin);
  await page.goto(toUrl('/admin/console/viewpoints?location=HB-M10'));
  const opener = page.getByRole('button', { name: 'From a file…' });
  await opener.waitFor();
  await page.evaluate(() => window.scrollTo(0, 200));
  await opener.click();
  await page.getByRole('dialog').waitFor();
  const scrollTop = await page.evaluate(() => window.scrollY);
  expect(scrollTop).toBeGreaterThan(0);
  const header = page.locator('header').first();
  expect((await header.boundingBox())?.y).toBe(0);
  await page.mouse.wheel(0, 400);
  await page.evaluate(() => new Promise(requestAnimationFrame));
  expect(await page.evaluate(() => window.scrollY)).toBe(scrollTop);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
