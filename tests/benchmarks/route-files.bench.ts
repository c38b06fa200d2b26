import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright';
import { routeUrl, basePath, routes } from '#core';
import { demoAccounts, type DemoAccount } from '../../core/server/auth/demo-accounts.ts';
import { settings } from '#plugins/account';
import { videoViewer, welcome } from '#plugins/media';
import { tourView } from '#plugins/tour';
import { deviceCheck } from '#plugins/vr';
import { launchBrowserForPictures } from '../browser/browser.ts';
import { waitInPage } from '../browser/waiting.ts';
import { atMost, median, type Bench } from './bench.ts';
import { ensureProduct } from './support/built-product.ts';

type ScreenVisit = readonly [name: string, screenPath: string, landmark: string];

/** Screens that are opened from home. The landmark is a selector of an element of the loaded screen. */
const screenVisits: readonly [ScreenVisit, ...ScreenVisit[]] = [
  ['tour', routeUrl(tourView, { location: 'HB-M10' }), 'canvas'],
  ['unit', routeUrl(routes.location, { location: 'HB' }), 'main h1'],
  ['welcome', routeUrl(welcome, {}), 'main h1'],
  ['videos', routeUrl(videoViewer, {}), 'main h1'],
  ['settings', routeUrl(settings, {}), 'main h1'],
  ['device check', routeUrl(deviceCheck, {}), 'main h1, canvas'],
];

const [tourVisit, ...otherVisits] = screenVisits;

/** A slow line: latency in milliseconds, rates in bytes per second. */
const slowConnection = { offline: false, latency: 100, downloadThroughput: 500_000, uploadThroughput: 500_000 };
/** Number of files that the tour would have if files were joined regardless of plugins (ADR 0062). */
const joinedCount = 8;

interface Script {
  readonly path: string;
  /** Compressed size. */
  readonly bytes: number;
}

/**
 * Counts the scripts that a browser fetches when a person goes from home to another screen. The tour is shared by all
 * plugins, so its scripts are also compared with the same bytes in fewer files on a slow line.
 */
const bench: Bench = async (context) => {
  const { chromium, chooseCount } = context;
  const product = await ensureProduct(context);
  try {
    const origin = `${await product.serve('demo')}${basePath}`;
    const browser = await launchBrowserForPictures(chromium);
    try {
      const tourScripts = await listNewScripts(browser, origin, tourVisit);
      const counts: (readonly [string, number])[] = [];
      for (const visit of otherVisits.slice(0, chooseCount(1, otherVisits.length)))
        counts.push([visit[0], (await listNewScripts(browser, origin, visit)).length]);
      const [apart, joined] = await compareWithJoined(browser, tourScripts, chooseCount(1, 5));
      return [
        atMost(4, {
          name: 'new files for a screen, as a browser fetches them',
          value: Math.max(...counts.map(([, scripts]) => scripts)),
          unit: 'files',
          against: counts.map((entry) => entry.join(' ')).join(', '),
        }),
        atMost(18, {
          name: 'new files for the tour',
          value: tourScripts.length,
          unit: 'files',
          against: `${tourScripts.reduce((total, { bytes }) => total + bytes, 0)} bytes compressed`,
        }),
        atMost(1.15, {
          name: 'files of the tour on a slow line',
          value: apart / joined,
          unit: 'x',
          against: `the same bytes in ${joinedCount} files: ${apart.toFixed(0)} ms, ${joined.toFixed(0)} ms`,
        }),
      ];
    } finally {
      await browser.close();
    }
  } finally {
    await product.stop();
  }
};
export default bench;

/**
 * Median milliseconds of fetching scripts together on a slow line, as they are and joined. The product fetches them in
 * stages, because imported code imports other code, so these times do not tell when its screen is complete.
 */
async function compareWithJoined(
  browser: Browser,
  scripts: readonly Script[],
  repetitions: number,
): Promise<readonly [apart: number, joined: number]> {
  const server = createServer((request, response) => {
    const bytes = Number(request.url?.split('/').at(-1));
    response.setHeader('content-type', 'text/html');
    response.setHeader('cache-control', 'no-store');
    response.end(Buffer.alloc(Number.isNaN(bytes) ? 0 : bytes, 'a'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const context = await browser.newContext();
  try {
    const { port } = server.address() as AddressInfo;
    const page = await context.newPage();
    await waitInPage(page, 'the page of the comparison', page.goto(`http://127.0.0.1:${port}/0`));
    const cdp = await context.newCDPSession(page);
    await cdp.send('Network.emulateNetworkConditions', slowConnection);
    const fetchAll = (sizes: readonly number[]): Promise<number> =>
      page.evaluate(async (list) => {
        const start = performance.now();
        await Promise.all(list.map((bytes, index) => fetch(`/${index}/${bytes}`).then((reply) => reply.arrayBuffer())));
        return performance.now() - start;
      }, sizes);
    const apartSizes = scripts.map(({ bytes }) => bytes);
    const joinedSize = Math.round(apartSizes.reduce((total, bytes) => total + bytes, 0) / joinedCount);
    const joinedSizes = Array.from({ length: joinedCount }, () => joinedSize);
    const times: (readonly [number, number])[] = [];
    while (times.length < repetitions) {
      const apartTime = await waitInPage(page, 'the files', fetchAll(apartSizes));
      times.push([apartTime, await waitInPage(page, 'the joined files', fetchAll(joinedSizes))]);
    }
    return [median(times.map(([apart]) => apart)), median(times.map(([, joined]) => joined))];
  } finally {
    await context.close();
    server.close();
  }
}

async function listNewScripts(
  browser: Browser,
  origin: string,
  [name, screenPath, landmark]: ScreenVisit,
): Promise<readonly Script[]> {
  const [admin] = demoAccounts;
  if (!admin) throw new Error('The demo has no accounts.');
  // A service worker passes decoded scripts on, whose compressed size is unknown.
  const context = await browser.newContext({ serviceWorkers: 'block' });
  try {
    context.setDefaultTimeout(0);
    const page = await context.newPage();
    await waitInPage(page, 'the sign-in', signIn(page, origin, admin));
    await waitInPage(page, 'the home screen', openHome(page, origin));
    const pathsBefore = new Set((await listScripts(page)).map(({ path }) => path));
    await page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, `${basePath}${screenPath}`);
    await waitInPage(page, `${landmark} of the screen ${name}`, page.locator(landmark).first().waitFor());
    if (name === 'tour') await waitInPage(page, 'the tools of the tour', waitForTools(page));
    await waitInPage(page, 'the last script', waitForLastScript(page));
    return (await listScripts(page)).filter(({ path }) => !pathsBefore.has(path));
  } finally {
    await context.close();
  }
}

async function signIn(page: Page, origin: string, { username, password }: DemoAccount): Promise<void> {
  await page.goto(`${origin}/login`);
  await page.locator('input[name=email]').fill(username);
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.waitForURL(/\/console\//);
}

async function openHome(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}${routeUrl(routes.home, {})}`);
  await page.locator('main h1').first().waitFor();
  await page.waitForLoadState('networkidle');
}

/** The parts of the tour load one after the other. Those of annotations are among the last. */
const waitForTools = (page: Page): Promise<void> =>
  page.getByRole('toolbar').getByRole('button', { name: 'Measure', exact: true }).waitFor();

/** Resolves once no script has arrived for two seconds. */
const waitForLastScript = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => {
    const ends = performance.getEntriesByType('resource').map((entry) => entry as PerformanceResourceTiming);
    const scripts = ends.filter(({ name }) => new URL(name).pathname.endsWith('.js'));
    return performance.now() - Math.max(...scripts.map(({ responseEnd }) => responseEnd)) > 2_000;
  });

function listScripts(page: Page): Promise<readonly Script[]> {
  return page.evaluate(() => {
    const entries = performance.getEntriesByType('resource').map((entry) => entry as PerformanceResourceTiming);
    const bytesByPath = new Map(entries.map(({ name, encodedBodySize }) => [new URL(name).pathname, encodedBodySize]));
    return [...bytesByPath].flatMap(([path, bytes]) => (path.endsWith('.js') ? [{ path, bytes }] : []));
  });
}
