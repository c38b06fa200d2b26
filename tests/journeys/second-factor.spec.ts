import { Secret, TOTP } from 'otpauth';
import { expect, test } from '@playwright/test';
import { fillInLogin, password, people, signInOnPage, toUrl } from './people.ts';

test('[SEC-03] sets up a second factor, logs in with a recovery code, and turns it off', async ({ browser, page }) => {
  await signInOnPage(page, people.permits);
  await page.goto(toUrl('/console/settings/second-factor'));
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Show the QR code' }).click();
  await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible();
  const secret = Secret.fromBase32((await page.locator('code').innerText()).replaceAll(' ', ''));
  await page.getByLabel(/^Code that the app shows/).fill(new TOTP({ secret }).generate());
  await page.getByRole('button', { name: 'Turn on' }).click();
  const list = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(list).toHaveCount(10);
  const codes = await list.allInnerTexts();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await expect(page.getByText(/10 recovery codes are left/)).toBeVisible();

  const phone = await browser.newPage();
  await phone.goto(toUrl('/login'));
  await fillInLogin(phone, people.permits, password);
  const code = phone.getByLabel('Code', { exact: true });
  await expect(code).toBeFocused();
  await code.fill('000 000');
  await phone.keyboard.press('Enter');
  await expect(phone.getByText(/wrong or was used already/)).toBeVisible();
  await code.fill(codes[0]?.toLowerCase().replaceAll('-', ' ') ?? '');
  await phone.keyboard.press('Enter');
  await phone.waitForURL(/\/console\//);
  await phone.close();

  // Other journeys log in by the password alone.
  await page.reload();
  await expect(page.getByText(/9 recovery codes are left/)).toBeVisible();
  const turnOff = page.getByRole('region', { name: 'Turn off' });
  await turnOff.getByLabel(/^Password/).fill(password);
  await turnOff.getByLabel(/^Code of the app/).fill(codes[1] ?? '');
  await turnOff.getByRole('button', { name: 'Turn off' }).click();
  await expect(page.getByText(/second factor is off/)).toBeVisible();
});
