import { appendFile, cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basePath } from '#core';
import { buildFixture, createFixtureShell } from './build-fixture.ts';
import { formatBrowserTestTitle, launchBrowser, noBrowser } from '../browser/browser.ts';
import { serveWeb } from './serve-web.ts';

let browser: Browser;
let builtProduct: Awaited<ReturnType<typeof buildFixture>>;
let scratch: string;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  if (noBrowser) return;
  browser = await launchBrowser();
  builtProduct = await buildFixture('fixture-both');
  scratch = await mkdtemp(path.join(tmpdir(), 'walkdown-tampered-'));
});
afterAll(async () => {
  if (noBrowser) return;
  await Promise.all(closers.map((close) => close()));
  await browser.close();
  await builtProduct.remove();
  await rm(scratch, { recursive: true, force: true });
});

interface OpenedPage {
  readonly page: Page;
  readonly origin: string;
  /** Errors of the browser, such as refused scripts and styles or failed hashes. */
  readonly browserErrors: string[];
}

async function openPage(product: string, url: string): Promise<OpenedPage> {
  const server = await serveWeb(product);
  const context = await browser.newContext();
  closers.push(server.close, () => context.close());
  const page = await context.newPage();
  const browserErrors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && browserErrors.push(message.text()));
  page.on('pageerror', (error) => browserErrors.push(error.message));
  await page.goto(`${server.origin}${basePath}${url}`);
  return { page, origin: server.origin, browserErrors };
}

const resolveWebFile = (file: string) => path.join(builtProduct.out, 'web', file);
const readPage = (page: string) => readFile(resolveWebFile(page), 'utf8');

/** Finds the URLs of all scripts that a script refers to, directly or indirectly. */
async function findScripts(first: string): Promise<ReadonlySet<string>> {
  const seenUrls = new Set<string>();
  const queue = [first];
  for (let url = queue.pop(); url !== undefined; url = queue.pop()) {
    if (seenUrls.has(url)) continue;
    seenUrls.add(url);
    queue.push(
      ...((await readFile(resolveWebFile(url.slice(basePath.length + 1)), 'utf8')).match(
        /\/dashboard\/static\/js\/[\w.-]+?\.js/g,
      ) ?? []),
    );
  }
  return seenUrls;
}

describe.skipIf(noBrowser)(formatBrowserTestTitle('built product in a browser'), () => {
  it('renders a lazy screen with its styles and messages under a strict policy', async () => {
    const { page, browserErrors } = await openPage(builtProduct.out, '/console/fixture-alpha-route-marker');
    const screen = page.locator('[data-marker=fixture-alpha-screen-marker]');
    await screen.waitFor();
    expect(await screen.innerText()).toBe('fixture-alpha-message-marker');
    expect(await screen.evaluate((element) => getComputedStyle(element).gridRowStart)).toBe(
      'fixture-alpha-style-marker',
    );
    expect(browserErrors).toEqual([]);
  });

  it('hydrates the prerendered sign-in page without console errors', async () => {
    const { page, browserErrors } = await openPage(builtProduct.out, '/login');
    await page.getByRole('button', { name: 'Log in 0' }).click();
    await page.getByRole('button', { name: 'Log in 1' }).waitFor();
    expect(await page.locator('main').evaluate((element) => getComputedStyle(element).marginTop)).toBe('32px');
    expect(browserErrors).toEqual([]);
  });

  it('[PRO-01] is served under /dashboard and shows the title of its profile', async () => {
    const { page, origin } = await openPage(builtProduct.out, '/');
    expect(await page.title()).toBe('Fixture both');
    const urls = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('[src], [href]')].map(
        (element) => element.getAttribute('src') ?? element.getAttribute('href'),
      ),
    );
    expect(urls.length).toBeGreaterThan(5);
    for (const url of urls) expect(url).toMatch(/^\/dashboard\//);
    expect(
      (await (await page.request.get(`${origin}${basePath}/manifest.webmanifest`)).json()) as object,
    ).toMatchObject({ name: 'Fixture both', short_name: 'Fixture' });
  });

  it("follows the system's colour scheme before scripts run and while styles load", async () => {
    const fixture = await buildFixture('fixture-none', {
      core: { ...createFixtureShell(), baseCss: path.join('core', 'web', 'ui', 'base.css') },
    });
    const server = await serveWeb(fixture.out);
    closers.push(server.close, fixture.remove);
    const readColours = async (colorScheme: 'light' | 'dark', url: string) => {
      const context = await browser.newContext({ colorScheme, javaScriptEnabled: false });
      closers.push(() => context.close());
      const page = await context.newPage();
      await page.goto(`${server.origin}${basePath}${url}`);
      return page.evaluate(() => [
        getComputedStyle(document.body).backgroundColor,
        getComputedStyle(document.documentElement).colorScheme,
        document.querySelector('meta[name=color-scheme]')?.getAttribute('content'),
      ]);
    };
    for (const url of ['/login', '/console/home']) {
      expect(await readColours('dark', url)).toEqual(['rgb(41, 41, 41)', 'dark', 'light dark']);
      expect(await readColours('light', url)).toEqual(['rgb(255, 255, 255)', 'light', 'light dark']);
    }
  });

  it('refuses a lazy script that was changed after the build', async () => {
    const tamperedFolder = path.join(scratch, 'lazy');
    await cp(builtProduct.out, tamperedFolder, { recursive: true });
    const scripts = path.join(tamperedFolder, 'web', 'static', 'js');
    const chunk = (await readdir(scripts)).find((name) => name.startsWith('alpha-screen-')) ?? '';
    await appendFile(path.join(scripts, chunk), '\nglobalThis.tampered = true;');
    const { page, browserErrors } = await openPage(tamperedFolder, '/console/fixture-alpha-route-marker');
    await page.getByText('not loaded: fixture-alpha').waitFor();
    expect(await page.evaluate(() => 'tampered' in globalThis)).toBe(false);
    expect(browserErrors.join()).toMatch(/integrity/i);
  });

  it('refuses an inline script and an inline style added to its page', async () => {
    const { page } = await openPage(builtProduct.out, '/console');
    await page.locator('[data-title]').waitFor({ state: 'attached' });
    const color = await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'globalThis.injected = true;';
      const style = document.createElement('style');
      style.textContent = 'body { color: rgb(1, 2, 3); }';
      document.head.append(script, style);
      return getComputedStyle(document.body).color;
    });
    expect(await page.evaluate(() => 'injected' in globalThis)).toBe(false);
    expect(color).not.toBe('rgb(1, 2, 3)');
  });

  it.each(['index.html', 'login.html'])('lists in %s the hash of every script that the page can load', async (name) => {
    const text = await readPage(name);
    const { integrity } = JSON.parse(/<script type="importmap">(.*?)<\/script>/.exec(text)?.[1] ?? '{}') as {
      integrity: Record<string, string>;
    };
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(text)?.[1] ?? '';
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    const reachable = await findScripts(/src="([^"]+)"/.exec(text)?.[1] ?? '');
    expect(reachable.size).toBeGreaterThan(name === 'index.html' ? 10 : 2);
    for (const url of reachable) expect(integrity[url], url).toMatch(/^sha384-/);
    for (const [, attributes] of text.matchAll(/<(?:script type="module"|link rel="modulepreload")([^>]*)>/g))
      expect(attributes).toMatch(/integrity="sha384-[^"]+" crossorigin/);
  });

  it('[API-11] fetches scripts from /dashboard/static/js, and its service worker aborts a fetch after 120 s', async () => {
    const { page, origin } = await openPage(builtProduct.out, '/console/fixture-alpha-route-marker');
    await page.locator('[data-marker]').waitFor();
    const scripts = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map((entry) => new URL(entry.name).pathname)
        .filter((name) => name.endsWith('.js')),
    );
    expect(scripts.length).toBeGreaterThan(3);
    for (const script of scripts) expect(script).toMatch(/^\/dashboard\/static\/js\//);
    const worker = await page.request.get(`${origin}${basePath}/sw.js`);
    expect(worker.ok()).toBe(true);
    expect(await worker.text()).toMatch(/AbortSignal\.timeout\((?:120000|12e4)\)/);
  });

  it('[PRO-11] opens a deep link offline through its service worker, which never answers API calls', async () => {
    const { page, origin } = await openPage(builtProduct.out, '/console/fixture-alpha-route-marker');
    await page.locator('[data-marker]').waitFor();
    await page.evaluate(async () => {
      await navigator.serviceWorker.register('/dashboard/sw.js', { scope: '/dashboard/' });
      await navigator.serviceWorker.ready;
    });
    // After one visit through the worker, the scripts of the screen are cached too.
    await page.reload();
    await page.locator('[data-marker]').waitFor();
    await page.context().setOffline(true);
    await page.reload();
    await page.locator('[data-marker]').waitFor();
    const outcome = await page.evaluate(
      (url) =>
        fetch(url).then(
          () => 'answered',
          () => 'failed',
        ),
      `${origin}/api/anything`,
    );
    expect(outcome).toBe('failed');
    const cachedPaths = await page.evaluate(async () =>
      (
        await Promise.all(
          (await caches.keys()).map(async (name) =>
            (await (await caches.open(name)).keys()).map((request) => new URL(request.url).pathname),
          ),
        )
      ).flat(),
    );
    expect(cachedPaths).toContain('/dashboard/index.html');
    expect(cachedPaths.filter((url) => url.startsWith('/api') || url.startsWith('/auth'))).toEqual([]);
  });
});
