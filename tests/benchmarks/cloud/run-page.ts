import type { Page } from 'playwright';
import type { Point3 } from '#core';
import type { CameraView } from '#plugins/tour';
import { waitInPage } from '../../browser/waiting.ts';
import { launchBrowser } from '../panorama/run-page.ts';
import { countFrames, type BenchScene } from './cloud-page.ts';
import type { Contender } from './pages.ts';

/** The page in CSS pixels, which are pixels of the picture. */
export const size = { width: 1280, height: 720 };
/** Milliseconds without loading after which a cloud counts as settled. */
const silenceMs = 1000;

export interface SettledCloud {
  /** Milliseconds from the start of the navigation, or from the change of view, until everything was loaded. */
  readonly milliseconds: number;
  readonly points: number;
}

export interface Pick {
  readonly milliseconds: number;
  readonly hit: Point3 | undefined;
}

export interface CloudRun {
  readonly loaded: SettledCloud;
  /** Changes the view and waits until everything is loaded. */
  lookFrom(view: CameraView): Promise<SettledCloud>;
  /** Counts the frames drawn while the camera moves through these views at fixed times. */
  moveThrough(views: readonly CameraView[], milliseconds: number): Promise<number>;
  /** Takes a picture of the page as PNG. */
  takePicture(): Promise<Buffer>;
  pickAll(pixels: readonly (readonly [number, number])[]): Promise<readonly Pick[]>;
  close(): Promise<void>;
}

/** Opens a contender's page in a new browser and waits until the cloud is loaded. */
export async function runPage(
  chromium: string,
  url: string,
  contender: Contender,
  scene: BenchScene,
): Promise<CloudRun> {
  const browser = await launchBrowser(chromium);
  try {
    const page = await browser.newPage({ viewport: size });
    await page.addInitScript(countFrames, scene);
    await waitInPage(page, `the script of ${contender}`, openPage(page, `${url}/${contender}`));
    const loadedCloud = await waitUntilSettled(page, contender, 0);
    return {
      loaded: loadedCloud,
      lookFrom: async (view) => {
        const start = await page.evaluate((next) => {
          window.cloudBench.look(next);
          return performance.now();
        }, view);
        return waitUntilSettled(page, contender, start);
      },
      moveThrough: (views, milliseconds) =>
        waitInPage(page, `the round of ${contender}`, moveThrough(page, views, milliseconds)),
      takePicture: () => page.screenshot(),
      pickAll: (pixels) => waitInPage(page, `the picks of ${contender}`, page.evaluate(pickEach, pixels)),
      close: () => browser.close(),
    };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'commit', timeout: 0 });
  await page.waitForFunction(() => 'cloudBench' in window, undefined, { timeout: 0, polling: 50 });
}

/** Waits until nothing was loaded for `silenceMs`. The result does not include this time. */
function waitUntilSettled(page: Page, contender: Contender, start: number): Promise<SettledCloud> {
  const settling = page.evaluate(
    ([from, quietMs]) =>
      new Promise<SettledCloud>((resolve) => {
        let points = -1;
        let since = performance.now();
        const check = (): void => {
          const now = performance.now();
          const visiblePoints = window.cloudBench.points();
          if (visiblePoints === 0 || visiblePoints !== points || window.cloudBench.busy()) {
            points = visiblePoints;
            since = now;
          } else if (now - since > quietMs) {
            resolve({ milliseconds: since - from, points });
            return;
          }
          setTimeout(check, 20);
        };
        check();
      }),
    [start, silenceMs] as const,
  );
  return waitInPage(page, `the cloud of ${contender} to settle`, settling);
}

function moveThrough(page: Page, views: readonly CameraView[], milliseconds: number): Promise<number> {
  return page.evaluate(
    ([all, duration]) =>
      new Promise<number>((resolve) => {
        const before = window.drawCounts.frames;
        const start = performance.now();
        const step = (): void => {
          const elapsed = performance.now() - start;
          const view = all[Math.floor((elapsed / duration) * all.length)];
          if (!view) {
            resolve(window.drawCounts.frames - before);
            return;
          }
          window.cloudBench.look(view);
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    [views, milliseconds] as const,
  );
}

async function pickEach(pixels: readonly (readonly [number, number])[]): Promise<readonly Pick[]> {
  const picks: Pick[] = [];
  for (const [x, y] of pixels) {
    const start = performance.now();
    const hit = await window.cloudBench.pick(x, y);
    picks.push({ milliseconds: performance.now() - start, hit });
    // Reports progress to `waitInPage`.
    console.debug('picked');
  }
  return picks;
}
