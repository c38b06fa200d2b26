import { chromium as playwright, type Browser, type Page } from 'playwright';
import { basePath } from '#core';
import { pictureLaunchOptions } from '../browser/browser.ts';
import { waitInPage } from '../browser/waiting.ts';
import { password, people } from '../journeys/people.ts';
import { atMost, median, type Bench } from './bench.ts';
import { measurePage } from './panorama/page-measures.ts';
import { ensureProduct } from './support/built-product.ts';
import { enlargeTour } from './support/enlarge-tour.ts';
import { recordLongTasks } from './support/long-tasks.ts';

/** A connection of 4 Mbit/s, as in the panorama benchmark. */
const networkConditions = { offline: false, latency: 50, downloadThroughput: 500_000, uploadThroughput: 125_000 };
/** The demo plant has 16 viewpoints and 174 tags and lines. */
const copies = { viewpoints: 124, tags: 287 } as const;
/** Tasks of the main thread above this time delay input noticeably (RAIL model). Milliseconds. */
const longTaskMs = 100;

interface Visit {
  /** Milliseconds to the first picture over this connection. */
  readonly picture: number;
  /** Bytes of the reply that describes the tour, as sent. */
  readonly tourBytes: number;
  /** The longest task and the most elements by step. */
  readonly steps: Readonly<Record<(typeof steps)[number], { readonly longest: number; readonly elements: number }>>;
}
const steps = ['opening', 'turning', 'opening Places', 'opening the map'] as const;

/** Compares a tour of 2,000 viewpoints and 50,000 tags with the demo's tour of 16 viewpoints. */
const bench: Bench = async (context) => {
  const [small, large] = [await ensureProduct(context), await ensureProduct(context)];
  let counts = { viewpoints: 0, tags: 0 };
  const browser = await playwright.launch({ ...pictureLaunchOptions, executablePath: context.chromium });
  try {
    // The copy is made before a server uses the demo plant's folder.
    const largeUrl = await large.serve('demo', async (folder) => {
      counts = await enlargeTour(folder, copies);
    });
    const urls = { small: await small.serve('demo'), large: largeUrl };
    const visitsBySize: Record<keyof typeof urls, Visit[]> = { small: [], large: [] };
    // The first visit of a browser starts the process of its graphics. It is not counted.
    await visit(browser, urls.small, 'small');
    for (let round = 0; round < context.chooseCount(1, 7); round++)
      for (const size of ['small', 'large'] as const) visitsBySize[size].push(await visit(browser, urls[size], size));
    const [smallTourVisits, largeTourVisits] = [visitsBySize.small, visitsBySize.large];
    const computePictureTime = (visits: readonly Visit[]) => median(visits.map(({ picture }) => picture));
    const computeLongestTask = (visits: readonly Visit[], step: (typeof steps)[number]) =>
      median(visits.map((tourVisit) => tourVisit.steps[step].longest));
    const describeComparison = (milliseconds: (visits: readonly Visit[]) => number): string =>
      `${milliseconds(largeTourVisits).toFixed(0)} ms against ${milliseconds(smallTourVisits).toFixed(0)} ms of 16 viewpoints; medians of ${largeTourVisits.length} visits`;
    return [
      atMost(1.1, {
        name: 'large tour: time to the first picture at 4 Mbit/s',
        value: computePictureTime(largeTourVisits) / computePictureTime(smallTourVisits),
        unit: 'x',
        against: describeComparison(computePictureTime),
      }),
      ...steps.map((step) =>
        atMost(1.1, {
          name: `large tour: longest task while ${step}, above ${longTaskMs} ms`,
          value:
            Math.max(longTaskMs, computeLongestTask(largeTourVisits, step)) /
            Math.max(longTaskMs, computeLongestTask(smallTourVisits, step)),
          unit: 'x',
          against: describeComparison((visits) => computeLongestTask(visits, step)),
        }),
      ),
      atMost(3000, {
        name: 'large tour: elements in the page',
        value: Math.max(...largeTourVisits.flatMap((tourVisit) => steps.map((step) => tourVisit.steps[step].elements))),
        unit: 'elements',
        against: `${counts.viewpoints} viewpoints, ${counts.tags} tags and lines`,
      }),
      atMost(16, {
        name: 'large tour: first reply that describes the tour',
        value: Math.max(...largeTourVisits.map(({ tourBytes }) => tourBytes)) / 1024,
        unit: 'KiB',
        against: 'as sent over the connection',
      }),
    ];
  } finally {
    await browser.close();
    await Promise.all([small.stop(), large.stop()]);
  }
};
export default bench;

/** Logs in with an empty cache, opens the tour, turns the view, and opens the list and the map of the viewpoints. */
async function visit(browser: Browser, url: string, size: 'small' | 'large'): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' });
  context.setDefaultTimeout(0);
  try {
    const page = await context.newPage();
    await page.addInitScript(measurePage);
    await page.addInitScript(recordLongTasks);
    await waitInPage(page, 'the login', logIn(page, url));
    const cdp = await context.newCDPSession(page);
    await cdp.send('Network.emulateNetworkConditions', networkConditions);
    await waitInPage(page, 'the first picture of the tour', openTour(page, url));
    const picture = await page.evaluate(() => window.measures.previewMs);
    const tourBytes = await page.evaluate(
      () =>
        performance
          .getEntriesByType('resource')
          .map((entry) => entry as PerformanceResourceTiming)
          .find(({ name }) => /\/api\/tour\/[^/]+$/.test(name))?.encodedBodySize ?? 0,
    );
    if (size === 'large') await waitInPage(page, 'all viewpoints', waitForAllNodes(page));
    const opening = await readStep(page);
    await page.getByRole('application').focus();
    await page.keyboard.down('ArrowRight');
    await drawFrames(page, 60);
    await page.keyboard.up('ArrowRight');
    const turning = await readStep(page);
    await page.getByRole('button', { name: 'Viewpoints', exact: true }).click();
    await page.getByRole('complementary', { name: 'Viewpoints' }).waitFor();
    const places = await readStep(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Open the map large' }).click();
    await page.getByRole('dialog').waitFor();
    const map = await readStep(page);
    return {
      picture,
      tourBytes,
      steps: { opening, turning, 'opening Places': places, 'opening the map': map },
    };
  } finally {
    await context.close();
  }
}

async function logIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}${basePath}/login`);
  await page.locator('input[type=email]').fill(people.staff);
  await page.locator('input[autocomplete=current-password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page
    .getByRole('link', { name: /Halvorsen Bravo/ })
    .first()
    .waitFor();
}

async function openTour(page: Page, url: string): Promise<void> {
  await page.goto(`${url}${basePath}/console/tour/HB-M10`, { waitUntil: 'commit' });
  await page.waitForFunction(() => window.measures?.previewMs > 0, undefined, { polling: 100 });
  // The plan of the deck and the markers are loaded last.
  await page.getByRole('group', { name: /^Plan of/ }).waitFor();
  await page.getByRole('application').getByRole('button').first().waitFor();
}

/** A large tour is loaded in two parts, of which the second has all viewpoints. */
async function waitForAllNodes(page: Page): Promise<void> {
  await page.waitForFunction(
    () => performance.getEntriesByType('resource').some(({ name }) => /\/api\/tour\/[^/?]+$/.test(name)),
    undefined,
    { polling: 100 },
  );
}

/** Draws frames until the step's tasks have ended, and returns its longest task and the number of elements. */
async function readStep(page: Page): Promise<{ readonly longest: number; readonly elements: number }> {
  await drawFrames(page, 30);
  return page.evaluate(() => ({
    longest: Math.max(0, ...window.longTasks.splice(0)),
    elements: document.querySelectorAll('*').length,
  }));
}

const drawFrames = (page: Page, count: number): Promise<void> =>
  page.evaluate(async (frames) => {
    for (let frame = 0; frame < frames; frame++)
      await new Promise((resolve) => {
        requestAnimationFrame(resolve);
      });
  }, count);
