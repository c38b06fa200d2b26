import { expect, test } from '@playwright/test';
import { toUrl, fillInLogin, people, signInOnPage } from './people.ts';

test('[RTE-01] [RTE-04] [SES-16] opens home after a login that first failed with a wrong password', async ({
  page,
}) => {
  await page.goto(toUrl('/'));
  await page.waitForURL(/\/dashboard\/login/);
  await fillInLogin(page, people.staff, 'not the password');
  await expect(page.getByText('Invalid credentials. Please check again')).toBeVisible();
  await expect(page.locator('input[autocomplete=current-password]')).toBeFocused();
  await fillInLogin(page, people.staff, 'walkdown-demo');
  await page.waitForURL(/\/console\/home/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Where do you want to go?');
});

test('[RTE-16] opens a deep link after the login', async ({ page }) => {
  await page.goto(toUrl('/console/unit/HB'));
  await page.waitForURL(/\/login/);
  await fillInLogin(page, people.admin, 'walkdown-demo');
  await page.waitForURL(/\/console\/unit\/HB/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Halvorsen Bravo');
});

test('[RTE-16] logs in with the form that is sent before the scripts of the page have loaded', async ({ page }) => {
  let loadScripts: () => void = () => undefined;
  const scriptsMayLoad = new Promise<void>((resolve) => (loadScripts = resolve));
  await page.route('**/*.js', async (route) => {
    await scriptsMayLoad;
    await route.continue();
  });
  await page.goto(toUrl('/login?next=/console/unit/HB'), { waitUntil: 'commit' });
  await fillInLogin(page, people.admin, 'walkdown-demo');
  loadScripts();
  await page.waitForURL(/\/console\/unit\/HB/);
});

test("[LOC-03] [ACC-04] shows only the locations of a person's roles and refuses all others", async ({ page }) => {
  await signInOnPage(page, people.visitor);
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
  const refusedRequest = page.waitForResponse(
    (response) => response.url().includes('/api/tour/SK') && response.status() === 403,
  );
  await page.goto(toUrl('/console/tour/SK'));
  await refusedRequest;
  await expect(page.getByText(/request access from/i).first()).toBeVisible();
});

test('[SES-05] tells an inactive account only that it is inactive', async ({ page }) => {
  await page.goto(toUrl('/login'));
  await fillInLogin(page, people.former, 'walkdown-demo');
  await expect(page.getByText(/Your Account is Inactive/)).toBeVisible();
});

test('changes language and theme in the header and saves them', async ({ page }) => {
  await signInOnPage(page, people.staff);
  await page.getByRole('button', { name: /Language/ }).click();
  await page.getByRole('menuitemradio', { name: /Français/i }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Où souhaitez-vous aller ?');
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Où souhaitez-vous aller ?');
  await page.getByRole('button', { name: /Langue/ }).click();
  await page.getByRole('menuitemradio', { name: /English/i }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
});

test('[SES-17] logs out all tabs after a logout in one', async ({ page, context }) => {
  await signInOnPage(page, people.permits);
  const otherTab = await context.newPage();
  await otherTab.goto(toUrl('/console/home'));
  await expect(otherTab.getByRole('heading', { level: 1 })).toHaveText('Where do you want to go?');
  await page.getByRole('button', { name: /Malik Osei/ }).click();
  await page.getByRole('menuitem', { name: /Log out/ }).click();
  await page.waitForURL(/\/login/);
  await otherTab.waitForURL(/\/login/);
});
