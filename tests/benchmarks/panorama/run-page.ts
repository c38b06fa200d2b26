import { chromium as playwright, type Browser, type CDPSession, type Page } from 'playwright';
import { pictureLaunchOptions } from '../../browser/browser.ts';
import { waitInPage } from '../../browser/waiting.ts';
import type { Contender } from './pages.ts';
import { measurePage, type PageMeasures } from './page-measures.ts';

const viewport = { width: 1280, height: 720 };
/** Speed of the rotation, degrees per second. */
const turnSpeed = 36;

export function launchBrowser(chromium: string): Promise<Browser> {
  return playwright.launch({
    ...pictureLaunchOptions,
    executablePath: chromium,
    args: [...pictureLaunchOptions.args, '--js-flags=--expose-gc'],
  });
}

export interface PageRun {
  readonly page: Page;
  readonly loaded: PageMeasures;
  /**
   * Rotates for the given seconds, with a new direction in each frame. Returns the number of drawn frames, and the draw
   * calls and main-thread milliseconds per frame.
   */
  rotateFor(
    seconds: number,
  ): Promise<{ readonly frames: number; readonly drawsPerFrame: number; readonly mainThreadMsPerFrame: number }>;
  close(): Promise<void>;
}

/** Opens a contender's page in a new browser and waits until its image is sharp. */
export async function runPage(chromium: string, url: string, contender: Contender): Promise<PageRun> {
  const browser = await launchBrowser(chromium);
  try {
    const page = await browser.newPage({ viewport: viewport });
    await page.addInitScript(measurePage);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable');
    await waitInPage(page, `a sharp picture of ${contender}`, openSharp(page, `${url}/${contender}`));
    const loadMeasures = await page.evaluate(() => ({ ...window.measures }));
    return {
      page,
      loaded: loadMeasures,
      rotateFor: (seconds) => waitInPage(page, `a turn of ${contender}`, rotateFor(page, cdp, seconds)),
      close: () => browser.close(),
    };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

async function openSharp(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'commit', timeout: 0 });
  await page.waitForFunction(() => window.measures.sharpMs > 0, undefined, { timeout: 0, polling: 100 });
}

async function rotateFor(
  page: Page,
  cdp: CDPSession,
  seconds: number,
): Promise<{ readonly frames: number; readonly drawsPerFrame: number; readonly mainThreadMsPerFrame: number }> {
  const secondsBefore = await readTaskSeconds(cdp);
  const { frames, draws } = await page.evaluate(
    ([milliseconds, degrees]) =>
      new Promise<PageMeasures>((resolve) => {
        window.measures.restart();
        const start = performance.now();
        const step = (): void => {
          const elapsed = performance.now() - start;
          if (elapsed > milliseconds) {
            resolve({ ...window.measures });
            return;
          }
          const pan = (elapsed / 1000) * degrees;
          window.bench.look(((pan + 180) % 360) - 180);
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    [seconds * 1000, turnSpeed] as const,
  );
  return {
    frames,
    drawsPerFrame: draws / Math.max(1, frames),
    mainThreadMsPerFrame: (((await readTaskSeconds(cdp)) - secondsBefore) * 1000) / Math.max(1, frames),
  };
}

async function readTaskSeconds(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? 0;
}
