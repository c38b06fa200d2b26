import { expect, type Page } from '@playwright/test';
import { refreshTokenInCookie, tokenTransportHeader } from '#core';
import { login } from '#core/api';

/** The demo's people (core/server/auth/demo-accounts.ts). */
export const people = {
  admin: 'admin@walkdown.example',
  permits: 'permits@walkdown.example',
  staff: 'staff@walkdown.example',
  visitor: 'visitor@walkdown.example',
  former: 'former@walkdown.example',
} as const;
export const password = 'walkdown-demo';

/** The origin of this worker's server. */
export function getJourneyOrigin(): string {
  const origins = (process.env['JOURNEY_ADDRESSES'] ?? process.env['JOURNEY_ADDRESS'] ?? '').split(' ');
  return origins[Number(process.env['TEST_PARALLEL_INDEX'] ?? 0) % origins.length] ?? '';
}

/** The URL of a screen of the demo. Absolute URLs are returned unchanged. */
export const toUrl = (pathOrUrl: string): string =>
  pathOrUrl.startsWith('/') ? `${getJourneyOrigin()}/dashboard${pathOrUrl}` : pathOrUrl;

/** Logs in the page's browser with a request, which is faster than the login page. Opens no screen. */
export async function signIn(page: Page, username: string, origin = getJourneyOrigin()): Promise<void> {
  const response = await page.context().request.post(`${origin}${login.path}`, {
    data: { username, password },
    headers: { [tokenTransportHeader]: refreshTokenInCookie },
  });
  expect(response.status(), await response.text()).toBe(200);
}

/** Logs in on the login page and waits for the next screen. */
export async function signInOnPage(page: Page, username: string, path = '/login'): Promise<void> {
  await page.goto(toUrl(path));
  await fillInLogin(page, username, password);
  await page.waitForURL(/\/console\//);
}

export async function fillInLogin(page: Page, username: string, loginPassword: string): Promise<void> {
  await page.locator('input[type=email]').fill(username);
  await page.locator('input[autocomplete=current-password]').fill(loginPassword);
  await page.locator('button[type=submit]').click();
}
