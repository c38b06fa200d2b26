import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium as playwright, type BrowserContext, type Page } from 'playwright';
import { basePath } from '#core';
import { bundleHarness } from '../session-tabs/harness-bundle.ts';
import type {} from '../session-tabs/harness.tsx';
import { createPageActivity, waitFor, waitInPage } from '../browser/waiting.ts';
import { atMost, type Bench } from './bench.ts';
import { runProgram } from './support/programs.ts';

const tabs = 8;
const callsPerTab = 6;
const lifetimeMs = 1500;

/**
 * Opens eight tabs of one browser on a real server with access tokens of 1.5 s and single-use refresh tokens. Each time
 * the token has expired, all tabs call the server at once.
 */
const bench: Bench = async ({ chromium, chooseCount }) => {
  const expiries = chooseCount(3, 50);
  const dataFolder = await mkdtemp(path.join(tmpdir(), 'walkdown-storm-'));
  const harness = await bundleHarness();
  const environment = {
    WALKDOWN_DATA: dataFolder,
    BENCH_BUNDLE: harness.folder,
    WALKDOWN_ACCESS_TOKEN_MS: String(lifetimeMs),
    WALKDOWN_REFRESH_GRACE_MS: '0',
  };
  const server = await runProgram('storm-server.ts', ['address', 'username', 'password'], environment);
  const browser = await playwright.launch({
    executablePath: chromium,
    args: ['--no-sandbox', '--disable-background-networking'],
  });
  try {
    // The policy of the server is bypassed, because it does not allow the page of the harness.
    const context = await browser.newContext({ bypassCSP: true });
    context.setDefaultTimeout(0);
    const pages = await openTabs(context, server.values);
    const activities = pages.map(createPageActivity);
    const readActivity = (): string => activities.map((readPageActivity) => String(readPageActivity())).join(' ');
    let renewals = 0;
    context.on('request', (request) => void (renewals += request.url().includes('/auth/pub/user/token/renew') ? 1 : 0));
    const failures: string[] = [];
    let calls = 0;
    for (let expiry = 0; expiry < expiries; expiry += 1) {
      // Waits after the last reply, so that every tab's token has expired.
      await pause(lifetimeMs + 100);
      const bursts = Promise.all(
        pages.map((page) => page.evaluate((times) => globalThis.harness.burst(times), callsPerTab)),
      );
      const outcomes = await waitFor(`the calls of all tabs after expiry ${expiry + 1}`, bursts, readActivity);
      for (const outcome of outcomes) {
        calls += callsPerTab;
        failures.push(...outcome.failures);
      }
    }
    const against = `${tabs} tabs, ${expiries} expiries, no grace period, ${calls} calls`;
    return [
      atMost(0, {
        name: 'session storm: failed calls',
        value: failures.length,
        unit: 'calls',
        against: [against, ...new Set(failures)].join('; '),
      }),
      atMost(1.1, {
        name: 'session storm: renewals per expiry',
        value: renewals / expiries,
        unit: 'x',
        against: `${renewals} renewals; ${against}`,
      }),
    ];
  } finally {
    await browser.close();
    await server.stop();
    await harness.remove();
    await rm(dataFolder, { recursive: true, force: true });
  }
};
export default bench;

async function openTabs(
  context: BrowserContext,
  { address, username, password }: Readonly<Record<'address' | 'username' | 'password', string>>,
): Promise<readonly Page[]> {
  const first = await context.newPage();
  const signIn = async (): Promise<void> => {
    await first.goto(`${address}${basePath}/login`);
    await first.evaluate(([name, secret]) => globalThis.harness.login(name, secret), [username, password] as const);
  };
  await waitInPage(first, 'the sign-in', signIn());
  const pages = [first, ...(await Promise.all(Array.from({ length: tabs - 1 }, () => context.newPage())))];
  const openHome = async (page: Page): Promise<void> => {
    await page.goto(`${address}${basePath}/console/home`);
    await page.getByRole('heading', { name: 'Home' }).waitFor();
  };
  for (const [index, page] of pages.entries())
    await waitInPage(page, `the home screen in tab ${index + 1}`, openHome(page));
  return pages;
}
