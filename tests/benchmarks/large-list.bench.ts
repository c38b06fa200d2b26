import { chromium as playwright, type Page } from 'playwright';
import { basePath } from '#core';
import { pictureLaunchOptions } from '../browser/browser.ts';
import { waitInPage } from '../browser/waiting.ts';
import { fillInLogin, password, people } from '../journeys/people.ts';
import { atMost, median, type Bench, type BenchContext } from './bench.ts';
import { addPeople } from './support/add-people.ts';
import { ensureProduct } from './support/built-product.ts';
import { recordLongTasks } from './support/long-tasks.ts';

const peopleCount = 100_000;
/** Browsers report tasks above this time. */
const longTaskMs = 50;
const turns = 120;

interface Scroll {
  /** Milliseconds of the longest task. 0 if none was above 50 ms. */
  readonly longest: number;
  readonly count: number;
  readonly elements: number;
}

/** Scrolls the list of 100,000 people with the wheel, by keys and to its middle. */
const bench: Bench = async (context) => {
  const product = await ensureProduct(context);
  const browser = await playwright.launch({ ...pictureLaunchOptions, executablePath: context.chromium });
  try {
    const url = await product.serve('demo', (folder) => addPeople(folder, peopleCount));
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' });
    page.setDefaultTimeout(0);
    await page.addInitScript(recordLongTasks);
    await waitInPage(page, 'the list of people', openList(page, url));
    const scrolls = await scrollRepeatedly(page, context);
    return scrolls.flatMap(({ way, results }) => [
      atMost(longTaskMs, {
        name: `list of ${peopleCount} people: longest task while scrolling ${way}`,
        value: median(results.map(({ longest }) => longest)),
        unit: 'ms',
        against: `${results.map(({ count }) => count).join(', ')} tasks above ${longTaskMs} ms in ${results.length} runs of ${turns} steps`,
      }),
      atMost(3000, {
        name: `list of ${peopleCount} people: elements in the page while scrolling ${way}`,
        value: Math.max(...results.map(({ elements }) => elements)),
        unit: 'elements',
        against: 'rows in view and a few around them',
      }),
    ]);
  } finally {
    await browser.close();
    await product.stop();
  }
};
export default bench;

async function openList(page: Page, url: string): Promise<void> {
  await page.goto(`${url}${basePath}/login`);
  await fillInLogin(page, people.admin, password);
  await page.waitForURL(/\/console\//);
  await page.goto(`${url}${basePath}/admin/console/user-list`);
  await page.getByRole('grid').getByRole('link').first().waitFor();
}

async function scrollRepeatedly(
  page: Page,
  context: BenchContext,
): Promise<readonly { readonly way: string; readonly results: readonly Scroll[] }[]> {
  const rounds = context.chooseCount(1, 5);
  const scroller = page.getByRole('grid').locator('..');
  const ways: readonly (readonly [way: string, step: (turn: number) => Promise<void>])[] = [
    ['with the wheel', () => page.mouse.wheel(0, 240)],
    ['by Page Down', () => page.keyboard.press('PageDown')],
    [
      'by the scroll bar',
      (turn) =>
        scroller.evaluate((element, share) => {
          element.scrollTop = element.scrollHeight * share;
        }, turn / turns),
    ],
  ];
  await scroller.hover();
  await page.getByRole('row').nth(1).focus();
  const scrolls: { way: string; results: Scroll[] }[] = [];
  for (const [way, step] of ways) {
    const results: Scroll[] = [];
    // The first round compiles the code and is not counted.
    for (let round = 0; round <= rounds; round++) {
      const result = await scroll(page, step);
      if (round > 0) results.push(result);
    }
    scrolls.push({ way, results });
  }
  return scrolls;
}

/**
 * Scrolls by single steps, with a drawn frame after each.
 *
 * @throws Error if the list does not move
 */
async function scroll(page: Page, step: (turn: number) => Promise<void>): Promise<Scroll> {
  await page.evaluate(() => window.longTasks.splice(0));
  const positions = new Set<number>();
  for (let turn = 0; turn < turns; turn++) {
    await step(turn);
    positions.add(
      await page.getByRole('grid').evaluate(async (grid) => {
        await new Promise((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(resolve));
        });
        return grid.parentElement?.scrollTop ?? 0;
      }),
    );
  }
  if (positions.size < turns / 2) throw new Error(`The list moved only ${positions.size} times in ${turns} steps.`);
  return page.evaluate(() => ({
    longest: Math.max(0, ...window.longTasks),
    count: window.longTasks.length,
    elements: document.querySelectorAll('*').length,
  }));
}
