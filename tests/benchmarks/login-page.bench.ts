import { createRequire } from 'node:module';
import path from 'node:path';
import { chromium as playwright, type Browser, type Page } from 'playwright';
import { basePath } from '#core';
import { waitInPage } from '../browser/waiting.ts';
import { atLeast, atMost, median, type Bench } from './bench.ts';
import { ensureProduct } from './support/built-product.ts';
import { runCommand } from './support/programs.ts';

/** Lighthouse's slow 4G: 150 ms, 1.6 Mbit/s down, 750 kbit/s up. */
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: (1600 * 1000) / 8,
  uploadThroughput: (750 * 1000) / 8,
};
/** Factor of the CPU throttling. */
const slowdown = 4;

/** Measures the login page on a slow phone: first paint, time until it is usable, and Lighthouse's score. */
const bench: Bench = async (context) => {
  const { root, chromium, chooseCount } = context;
  const product = await ensureProduct(context);
  try {
    const url = `${await product.serve('nothing')}${basePath}/login`;
    const browser = await playwright.launch({
      executablePath: chromium,
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
    const visits: Visit[] = [];
    try {
      for (let visit = 0; visit < chooseCount(1, 7); visit += 1) visits.push(await visitPage(browser, url));
    } finally {
      await browser.close();
    }
    const reports: Scores[] = [];
    for (let run = 0; run < chooseCount(1, 5); run += 1) reports.push(await runLighthouse(root, chromium, url));
    const medianSeconds = (read: (visit: Visit) => number) => median(visits.map(read)) / 1000;
    const describeConditions = (runs: readonly unknown[]) =>
      `median of ${runs.length}, 150 ms, 1.6 Mbit/s, processor x ${slowdown}`;
    const paints = reports.map(({ firstPaint }) => firstPaint);
    return [
      atMost(1, {
        name: 'login: first paint',
        value: medianSeconds(({ paint }) => paint),
        unit: 's',
        against: describeConditions(visits),
      }),
      atMost(2, {
        name: 'login: usable',
        value: medianSeconds(({ usable }) => usable),
        unit: 's',
        against: describeConditions(visits),
      }),
      atMost(8, {
        name: 'login: scripts that a browser fetched before it was usable',
        value: Math.max(...visits.map(({ scripts }) => scripts)),
        unit: 'files',
        against: 'as the browser counts them',
      }),
      atLeast(0.95, {
        name: 'Lighthouse mobile: performance',
        value: median(reports.map(({ performance: score }) => score)),
        unit: 'score',
        against: `median of ${reports.length}; its first contentful paint ${(median(paints) / 1000).toFixed(2)} s`,
      }),
      atLeast(1, {
        name: 'Lighthouse mobile: accessibility',
        value: Math.min(...reports.map(({ accessibility }) => accessibility)),
        unit: 'score',
        against: `the lowest of ${reports.length}`,
      }),
    ];
  } finally {
    await product.stop();
  }
};
export default bench;

interface Visit {
  /** First contentful paint, milliseconds from the start of the navigation. */
  readonly paint: number;
  /** Milliseconds until React hydrated the form. */
  readonly usable: number;
  readonly scripts: number;
}

async function visitPage(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', network);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    return await waitInPage(page, 'a usable login page', openPage(page, url));
  } finally {
    await context.close();
  }
}

async function openPage(page: Page, url: string): Promise<Visit> {
  await page.goto(url, { waitUntil: 'commit', timeout: 0 });
  return page.evaluate(waitUntilUsable);
}

function waitUntilUsable(): Promise<Visit> {
  return new Promise((resolve) => {
    const check = (): void => {
      const field = document.querySelector('#root input');
      const [paint] = performance.getEntriesByName('first-contentful-paint');
      const isHydrated = field !== null && Object.keys(field).some((name) => name.startsWith('__reactProps'));
      if (!isHydrated || paint === undefined) return void setTimeout(check, 5);
      const usable = performance.now();
      const scripts = performance
        .getEntriesByType('resource')
        .filter(({ name }) => new URL(name).pathname.endsWith('.js')).length;
      resolve({ paint: paint.startTime, usable, scripts });
    };
    check();
  });
}

interface Scores {
  readonly performance: number;
  readonly accessibility: number;
  readonly firstPaint: number;
}

interface LighthouseReport {
  readonly categories: Readonly<Record<'performance' | 'accessibility', { readonly score: number | null }>>;
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>;
  readonly runtimeError?: { readonly message: string };
}

async function runLighthouse(root: string, chromium: string, url: string): Promise<Scores> {
  const program = path.join(
    path.dirname(createRequire(path.join(root, 'package.json')).resolve('lighthouse/package.json')),
    'cli',
    'index.js',
  );
  const args = [
    program,
    url,
    '--output=json',
    '--quiet',
    '--only-categories=performance,accessibility',
    '--chrome-flags=--headless=new --no-sandbox --disable-quic',
  ];
  const report = await runCommand(process.execPath, args, {
    description: 'Lighthouse',
    environment: { CHROME_PATH: chromium },
  });
  const { categories, audits, runtimeError } = JSON.parse(report) as LighthouseReport;
  const { performance: performanceCategory, accessibility: usable } = categories;
  if (runtimeError || performanceCategory.score === null || usable.score === null)
    throw new Error(`Lighthouse could not rate the page: ${runtimeError?.message ?? 'no score'}`);
  return {
    performance: performanceCategory.score,
    accessibility: usable.score,
    firstPaint: audits['first-contentful-paint']?.numericValue ?? 0,
  };
}
