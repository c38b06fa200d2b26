import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { serveWeb } from '../builds/serve-web.ts';
import { examine, screenRuns } from './examine.ts';
import { buildProduct } from './serve-demo.ts';

/** Profiles with sign-in by identity providers, and the buttons that they show. */
const products = [
  { profile: 'default', buttons: [/Company account$/, /Partner account$/] },
  { profile: 'profile-a', buttons: [/Halvorsen account$/] },
] as const;

for (const { profile, buttons } of products) {
  test.describe(`login of ${profile}`, () => {
    let folder: string;
    let webServer: Awaited<ReturnType<typeof serveWeb>>;

    test.beforeAll(async () => {
      const dist = path.resolve(import.meta.dirname, '..', '..', 'dist');
      await mkdir(dist, { recursive: true });
      folder = await mkdtemp(path.join(dist, 'sign-on-'));
      buildProduct(profile, folder);
      webServer = await serveWeb(folder);
    });
    test.afterAll(async () => {
      await webServer.close();
      await rm(folder, { recursive: true, force: true });
    });

    for (const { language, appearances } of screenRuns) {
      test.describe(language, () => {
        test.use({ locale: language, contextOptions: { reducedMotion: 'reduce' } });

        test(
          `[PRO-02] [RTE-04] shows ${buttons.length === 1 ? 'one provider' : 'both providers'} and no fields, ` +
            'without axe violations',
          async ({ page }) => {
            await examine(page, { name: 'login', url: `${webServer.origin}/dashboard/login` }, appearances);
            await expect(page.getByRole('main').getByRole('button')).toHaveText([...buttons]);
            await expect(page.getByRole('textbox')).toHaveCount(0);
          },
        );

        test('[RTE-05] opens the admin login without axe violations', async ({ page }) => {
          await page.goto(`${webServer.origin}/dashboard/login`);
          await page.getByRole('link', { name: language === 'en-GB' ? 'Admin log in' : /administrateur/i }).click();
          await expect(page).toHaveURL(/\/adminlogin$/);
          await examine(page, { name: 'admin login', url: `${webServer.origin}/dashboard/login/admin` }, appearances);
          await expect(page.locator('input[type=email]')).toBeVisible();
        });
      });
    }
  });
}
