import type { Page } from '@playwright/test';

/** The demo's people (core/server/auth/demo-accounts.ts). */
export const people = {
  admin: 'admin@walkdown.example',
  permits: 'permits@walkdown.example',
  staff: 'staff@walkdown.example',
  visitor: 'visitor@walkdown.example',
  former: 'former@walkdown.example',
} as const;
export const password = 'walkdown-demo';

/** Where the server of this worker is. */
export function journeyAddress(): string {
  const addresses = (process.env['JOURNEY_ADDRESSES'] ?? process.env['JOURNEY_ADDRESS'] ?? '').split(' ');
  return addresses[Number(process.env['TEST_PARALLEL_INDEX'] ?? 0) % addresses.length] ?? '';
}

/** The address of a screen of the demo; one that is whole already stays. */
export const at = (address: string): string =>
  address.startsWith('/') ? `${journeyAddress()}/dashboard${address}` : address;

/** Logs in on the login page and waits for a screen behind it. */
export async function signIn(page: Page, username: string, address = '/login'): Promise<void> {
  await page.goto(at(address));
  await fillIn(page, username, password);
  await page.waitForURL(/\/console\//);
}

export async function fillIn(page: Page, username: string, secret: string): Promise<void> {
  await page.locator('input[type=email]').fill(username);
  await page.locator('input[autocomplete=current-password]').fill(secret);
  await page.locator('button[type=submit]').click();
}
