import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium as playwright, type BrowserContext, type Page } from 'playwright';
import { basePath } from '#core';
import { bundleHarness } from '../session-tabs/harness-bundle.ts';
import type {} from '../session-tabs/harness.tsx';
import { atMost, type Bench } from './bench.ts';
import { runProgram } from './support/programs.ts';

const tabs = 8;
const callsOfTab = 6;
const lifetime = 1500;

/**
 * Eight tabs of one browser on a real server whose access tokens live 1.5 s and whose refresh tokens may be used once:
 * all tabs call at once, again and again, each time after the token has expired.
 */
const bench: Bench = async ({ chromium, count }) => {
  const expiries = count(5, 50);
  const data = await mkdtemp(path.join(tmpdir(), 'walkdown-storm-'));
  const harness = await bundleHarness();
  const environment = {
    WALKDOWN_DATA: data,
    BENCH_BUNDLE: harness.folder,
    WALKDOWN_ACCESS_TOKEN_MS: String(lifetime),
    WALKDOWN_REFRESH_GRACE_MS: '0',
  };
  const server = await runProgram('storm-server.ts', ['address', 'username', 'password'], environment);
  const browser = await playwright.launch({
    executablePath: chromium,
    args: ['--no-sandbox', '--disable-background-networking'],
  });
  try {
    // The harness is no product of the build, whose pages bring a policy of their own.
    const context = await browser.newContext({ bypassCSP: true });
    const pages = await signedInTabs(context, server.told);
    let renewals = 0;
    context.on('request', (request) => void (renewals += request.url().includes('/auth/pub/user/token/renew') ? 1 : 0));
    const failures: string[] = [];
    let calls = 0;
    for (let expiry = 0; expiry < expiries; expiry += 1) {
      // From the last answer on, so that whatever token the tabs hold is over.
      await pause(lifetime + 100);
      const outcomes = await Promise.all(
        pages.map((page) => page.evaluate((times) => globalThis.harness.burst(times), callsOfTab)),
      );
      for (const outcome of outcomes) {
        calls += callsOfTab;
        failures.push(...outcome.failures);
      }
    }
    const against = `${tabs} tabs, ${expiries} expiries, no grace, ${calls} calls`;
    return [
      atMost(0, {
        name: 'session storm: failed calls',
        value: failures.length,
        unit: 'calls',
        against: [against, ...new Set(failures)].join('; '),
      }),
      atMost(1.1, {
        name: 'session storm: renewals an expiry',
        value: renewals / expiries,
        unit: 'x',
        against: `${renewals} renewals; ${against}`,
      }),
    ];
  } finally {
    await browser.close();
    await server.stop();
    await harness.remove();
    await rm(data, { recursive: true, force: true });
  }
};
export default bench;

async function signedInTabs(
  context: BrowserContext,
  { address, username, password }: Readonly<Record<'address' | 'username' | 'password', string>>,
): Promise<readonly Page[]> {
  const first = await context.newPage();
  await first.goto(`${address}${basePath}/login`);
  await first.evaluate(([name, secret]) => globalThis.harness.login(name, secret), [username, password] as const);
  const pages = [first, ...(await Promise.all(Array.from({ length: tabs - 1 }, () => context.newPage())))];
  for (const page of pages) {
    await page.goto(`${address}${basePath}/console/home`);
    await page.getByRole('heading', { name: 'Home' }).waitFor();
  }
  return pages;
}
