import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { basePath } from '#core';
import { soakCount, startTestServer, type TestPerson, type TestServer } from '#core/testing/server';
import { formatBrowserTestTitle, launchBrowser, noBrowser } from '../browser/browser.ts';
import { createTestClock } from '../../core/testing/test-clock.ts';
import type { AccessTables } from '../../core/server/access/access-tables.ts';
import type { AuthTables } from '../../core/server/auth/auth-tables.ts';
import { maxWaitMs } from '../../core/testing/max-wait.ts';
import { bundleHarness, type HarnessBundle } from './harness-bundle.ts';

const expiredText =
  'Your session has expired. Please click Login to login again in a new tab. On successful login you can come back ' +
  'to this tab and continue your work.';

let browser: Browser;
let harness: HarnessBundle;

beforeAll(async () => {
  harness = await bundleHarness();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await harness.remove();
});

/** Tabs of one browser with one signed-in person, and the server whose clock the test moves. */
interface Setup {
  readonly server: TestServer;
  readonly context: BrowserContext;
  readonly person: TestPerson;
  readonly tabs: readonly Page[];
  readonly renewals: () => number;
  expire(): void;
}

const clock = createTestClock();
const servers = new Map<number, Promise<TestServer>>();
let contexts: BrowserContext[] = [];
afterEach(async () => {
  for (const context of contexts) await context.close();
  contexts = [];
});
afterAll(async () => {
  for (const server of servers.values()) await (await server).close();
});

/** One server per grace period for all tests. Each test has its own person and browser context. */
function getServer(grace: number): Promise<TestServer> {
  const server =
    servers.get(grace) ??
    startTestServer({ bundleFolder: harness.folder, clock, config: { session: { refreshGraceMs: grace } } });
  servers.set(grace, server);
  return server;
}

async function setup({
  tabs,
  grace = 0,
  startedServer = getServer(grace),
}: {
  readonly tabs: number;
  readonly grace?: number;
  readonly startedServer?: Promise<TestServer>;
}): Promise<Setup> {
  const server = await startedServer;
  // The harness page is not built like the product's pages, so it does not match their content security policy.
  const context = await browser.newContext({ bypassCSP: true });
  context.setDefaultTimeout(maxWaitMs);
  contexts.push(context);
  const origin = await server.url();
  const person = await server.addPerson();
  const first = await context.newPage();
  await first.goto(`${origin}${basePath}/login`);
  await first.evaluate(({ username, password }) => globalThis.harness.login(username, password), person);
  const pages = [first];
  await openHome(first, origin);
  while (pages.length < tabs) {
    const page = await context.newPage();
    await openHome(page, origin);
    pages.push(page);
  }
  let renewals = 0;
  context.on('request', (request) => {
    if (request.url().includes('/auth/pub/user/token/renew')) renewals += 1;
  });
  return {
    server,
    context,
    person,
    tabs: pages,
    renewals: () => renewals,
    expire: () => clock.advance(server.config.session.accessTokenLifetimeMs + 1_000),
  };
}

async function openHome(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}${basePath}/console/home`);
  await page.getByRole('heading', { name: 'Home' }).waitFor();
}

const makeCalls = (page: Page) => page.evaluate(() => globalThis.harness.burst(6));
const readState = (page: Page) => page.evaluate(() => globalThis.harness.state().session);
const findBanner = (page: Page) => page.getByRole('alert');

async function endSession({ server, person }: Setup): Promise<void> {
  await server.database
    .of<AuthTables>('core')
    .updateTable('session')
    .set({ revoked_at: new Date(clock.now()) })
    .where('account', '=', person.uid)
    .execute();
}

describe.skipIf(noBrowser)(formatBrowserTestTitle('browser tabs on a real server, without a grace period'), () => {
  it.each([
    [2, soakCount(5, 50)],
    [8, soakCount(10, 50)],
  ])(
    '[SES-01] [SES-02] [SES-03] [SES-13] renews once per expiry without a failed call: %i tabs, %i expiries',
    async (count, expiries) => {
      const { tabs, expire, renewals } = await setup({ tabs: count });
      for (let expiry = 0; expiry < expiries; expiry += 1) {
        expire();
        const outcomes = await Promise.all(tabs.map(makeCalls));
        expect(outcomes.flatMap(({ failures }) => failures)).toEqual([]);
      }
      expect(renewals()).toBeGreaterThanOrEqual(expiries);
      expect(renewals()).toBeLessThanOrEqual(expiries * 1.1);
      expect(new Set(await Promise.all(tabs.map(readState)))).toEqual(new Set(['signedIn']));
    },
  );

  it('[SES-04] [SES-07] [SES-08] [SES-10] [SES-11] shows the banner in all tabs until the person logs in again', async () => {
    const fixture = await setup({ tabs: 4 });
    const [workingTab, ...otherTabs] = fixture.tabs;
    if (!workingTab) throw new Error('No tab.');
    await endSession(fixture);
    fixture.expire();
    await workingTab.getByLabel('note').fill('valve 4 leaks');
    await Promise.all([
      workingTab.getByRole('button', { name: 'save' }).click(),
      ...otherTabs.map((tab) => tab.getByRole('button', { name: 'save' }).click()),
    ]);
    for (const tab of fixture.tabs) expect(await findBanner(tab).locator('p').textContent()).toBe(expiredText);
    expect(fixture.renewals()).toBe(1);

    const [loginTab] = await Promise.all([
      fixture.context.waitForEvent('page'),
      findBanner(workingTab).getByRole('link', { name: 'Login' }).click(),
    ]);
    await loginTab.waitForURL(`**${basePath}/login`);
    await loginTab.evaluate(({ username, password }) => globalThis.harness.login(username, password), fixture.person);
    for (const tab of fixture.tabs) {
      await tab.getByText(`saved by ${fixture.person.username}`).waitFor();
      await findBanner(tab).waitFor({ state: 'detached' });
    }
    expect(await workingTab.getByLabel('note').inputValue()).toBe('valve 4 leaks');
    expect(fixture.renewals()).toBe(1);
  });

  it('[SES-05] [SES-14] shows the reason in all tabs of a deactivated account, without a renewal', async () => {
    const fixture = await setup({ tabs: 2 });
    await fixture.server.database
      .of<AccessTables>('core')
      .updateTable('user_account')
      .set({ status: 'INACTIVE' })
      .where('uid', '=', fixture.person.uid)
      .execute();
    clock.advance(60_000);
    for (const tab of fixture.tabs) {
      await tab.getByRole('button', { name: 'save' }).click();
      await tab.getByRole('heading', { name: 'Your Account is Inactive' }).waitFor();
    }
    expect(fixture.renewals()).toBe(0);
  });

  it('[SES-07] [SES-17] [SES-12] opens the login in all tabs after a logout in one tab, and deletes all data', async () => {
    const fixture = await setup({ tabs: 3 });
    const [first, ...otherTabs] = fixture.tabs;
    const storedText = await first?.evaluate(() => globalThis.harness.state().stored);
    expect(storedText).toContain(fixture.person.username);
    expect(storedText).not.toMatch(/eyJ|refreshToken/);
    const cookies = await fixture.context.cookies();
    expect(cookies.find(({ name }) => name === 'refreshToken')).toMatchObject({
      httpOnly: true,
      sameSite: 'Strict',
      path: '/auth/pub/user',
    });
    await Promise.all([
      ...otherTabs.map((tab) => tab.waitForURL('**/login')),
      first?.waitForURL('**/login'),
      first?.evaluate(() => void globalThis.harness.logout()),
    ]);
    expect(
      (await fixture.context.cookies())
        .map(({ name }) => name)
        .filter((name) => ['refreshToken', 'username', 'isAdmin', 'fileTicket'].includes(name)),
    ).toEqual([]);
    expect(await otherTabs[0]?.evaluate(() => Object.keys(localStorage))).toEqual([]);
  });

  it('[SES-09] reloads all tabs by RELOAD without a new login', async () => {
    const fixture = await setup({ tabs: 2 });
    const [first, second] = fixture.tabs;
    if (!first || !second) throw new Error('No tabs.');
    await second.getByLabel('note').fill('gone by the reload');
    await Promise.all([
      second.waitForEvent('load'),
      first.waitForEvent('load'),
      first.evaluate(() => globalThis.harness.reloadAll()),
    ]);
    await second.getByRole('heading', { name: 'Home' }).waitFor();
    expect(await second.getByLabel('note').inputValue()).toBe('');
    expect((await makeCalls(second)).failures).toEqual([]);
  });

  it('sends no pending changes of a person after another person logged in (race 8)', async () => {
    const fixture = await setup({ tabs: 2 });
    const [workingTab, loginTab] = fixture.tabs;
    if (!workingTab || !loginTab) throw new Error('No tabs.');
    await endSession(fixture);
    fixture.expire();
    await workingTab.getByRole('button', { name: 'save' }).click();
    await findBanner(workingTab).waitFor();
    const otherPerson = await fixture.server.addPerson();
    await loginTab.goto(`${await fixture.server.url()}${basePath}/login`);
    const reload = workingTab.waitForEvent('load');
    await loginTab.evaluate(({ username, password }) => globalThis.harness.login(username, password), otherPerson);
    await reload;
    await workingTab.getByRole('heading', { name: 'Home' }).waitFor();
    expect(await workingTab.evaluate(() => globalThis.harness.state().person)).toBe(otherPerson.username);
    expect(await workingTab.getByText(/saved by/).count()).toBe(0);
  });
});

describe.skipIf(noBrowser)(formatBrowserTestTitle('browser tabs with the default grace period'), () => {
  it('keeps the other tabs signed in if a tab is closed during its renewal (race 11)', async () => {
    const fixture = await setup({ tabs: 3, grace: 10_000 });
    const [closing, ...otherTabs] = fixture.tabs;
    if (!closing) throw new Error('No tab.');
    fixture.expire();
    await closing.route('**/token/renew*', async (route) => {
      // The server has renewed, but the response never reaches the tab.
      await route.fetch().catch(() => undefined);
      await closing.close();
    });
    const closeEvent = closing.waitForEvent('close');
    await closing.evaluate(() => void globalThis.harness.burst(1));
    await closeEvent;
    const outcomes = await Promise.all(otherTabs.map(makeCalls));
    expect(outcomes.flatMap(({ failures }) => failures)).toEqual([]);
  });

  it('repeats a renewal whose response was lost (race 6)', async () => {
    const fixture = await setup({ tabs: 2, grace: 10_000 });
    const [first] = fixture.tabs;
    if (!first) throw new Error('No tab.');
    let attempts = 0;
    await first.route('**/token/renew*', async (route) => {
      attempts += 1;
      if (attempts > 1) return route.continue();
      await route.fetch().catch(() => undefined);
      await route.abort('connectionreset');
    });
    fixture.expire();
    expect((await makeCalls(first)).failures).toEqual([]);
    expect(attempts).toBe(2);
  });
});

describe.skipIf(noBrowser)(formatBrowserTestTitle('product served by https'), () => {
  it('[SES-12] stores the session in host-only cookies and continues it after a reload', async () => {
    // Chromium treats the loopback address as trustworthy and accepts secure cookies from it.
    const startedServer = startTestServer({
      bundleFolder: harness.folder,
      config: { publicUrl: 'https://tours.example' },
    });
    onTestFinished(async () => (await startedServer).close());
    const fixture = await setup({ tabs: 1, grace: 10_000, startedServer });
    const [tab] = fixture.tabs;
    if (!tab) throw new Error('No tab.');
    const sessionCookies = (await fixture.context.cookies()).filter(({ httpOnly }) => httpOnly);
    expect(sessionCookies.map(({ name }) => name).toSorted()).toEqual(['__Host-fileTicket', '__Host-refreshToken']);
    for (const cookie of sessionCookies) expect(cookie).toMatchObject({ secure: true, path: '/', sameSite: 'Strict' });
    await tab.reload();
    await tab.getByRole('heading', { name: 'Home' }).waitFor();
    expect(await readState(tab)).toBe('signedIn');
    expect(fixture.renewals()).toBe(1);
    await tab.goto(`${await fixture.server.url()}/api/docs`);
    await tab.getByRole('heading', { name: 'API of Test product' }).waitFor();
  });
});

describe.skipIf(noBrowser)(formatBrowserTestTitle('idle tab, by the real clock'), () => {
  const idleLifetimeMs = 5_000;

  it('[SES-13] keeps the session of an untouched or frozen tab while another tab uses it', async () => {
    const startedServer = startTestServer({
      bundleFolder: harness.folder,
      config: { session: { accessTokenLifetimeMs: 1_000, idleLifetimeMs } },
    });
    onTestFinished(async () => (await startedServer).close());
    const fixture = await setup({ tabs: 3, grace: 10_000, startedServer });
    const [active, untouched, frozen] = fixture.tabs;
    if (!active || !untouched || !frozen) throw new Error('No tabs.');
    const idleTabRequests: string[] = [];
    for (const tab of [untouched, frozen]) tab.on('request', (request) => idleTabRequests.push(request.url()));
    const devTools = await fixture.context.newCDPSession(frozen);
    await devTools.send('Page.setWebLifecycleState', { state: 'frozen' });

    const begin = Date.now();
    while (Date.now() - begin < idleLifetimeMs * 1.5) {
      expect((await makeCalls(active)).failures).toEqual([]);
      await active.waitForTimeout(200);
    }
    expect(fixture.renewals()).toBeGreaterThan(3);
    expect(idleTabRequests).toEqual([]);

    await devTools.send('Page.setWebLifecycleState', { state: 'active' });
    for (const tab of [frozen, untouched, active]) expect((await makeCalls(tab)).failures).toEqual([]);
    expect(new Set(await Promise.all(fixture.tabs.map(readState)))).toEqual(new Set(['signedIn']));

    // After the idle lifetime without a used tab, the session ends in all tabs.
    await active.waitForTimeout(idleLifetimeMs + 500);
    for (const tab of fixture.tabs) await tab.getByRole('button', { name: 'save' }).click();
    for (const tab of fixture.tabs) await findBanner(tab).waitFor();
  });
});
