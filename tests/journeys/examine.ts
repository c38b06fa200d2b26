import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import type { CheckedScreen } from './screens.ts';
import { leaveScreen, waitUntilStable, openScreen } from './visit.ts';

const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } } as const;
/** The languages, colour schemes and sizes in which screens are checked. */
export const screenRuns = [
  {
    language: 'en-GB',
    appearances: [
      ['light', 'desktop'],
      ['dark', 'phone'],
    ],
  },
  {
    language: 'fr-FR',
    appearances: [
      ['dark', 'desktop'],
      ['light', 'phone'],
    ],
  },
] as const;

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Runs axe in the page. Its source is injected once per page load. */
async function runAxe(page: Page, disabledRules: readonly string[]): Promise<AxeResults> {
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axeSource);
  const options: RunOptions = {
    resultTypes: ['violations'],
    runOnly: { type: 'tag', values: axeTags },
    rules: Object.fromEntries(disabledRules.map((rule) => [rule, { enabled: false }])),
  };
  return page.evaluate(
    (runOptions) =>
      (window as unknown as { axe: { run: (options: RunOptions) => Promise<AxeResults> } }).axe.run(runOptions),
    options,
  );
}

/** Finds the axe violations of a screen and horizontal scrolling. */
async function findFaults(page: Page, screen: CheckedScreen): Promise<readonly string[]> {
  const { violations, passes } = await runAxe(page, screen.disabledRules ?? []);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
    ...(passes.length === 0 ? ['axe examined nothing'] : []),
    ...(overflow > 0 ? [`scrolls sideways by ${overflow} px`] : []),
  ];
}

/** Opens the screen once, then changes its size and colour scheme. */
export async function examine(
  page: Page,
  screen: CheckedScreen,
  appearances: (typeof screenRuns)[number]['appearances'],
): Promise<void> {
  await leaveScreen(page);
  for (const [index, [colorScheme, size]] of appearances.entries()) {
    await page.setViewportSize(sizes[size]);
    await page.emulateMedia({ colorScheme });
    await (index === 0 ? openScreen(page, screen) : waitUntilStable(page));
    expect.soft(await findFaults(page, screen), `${screen.name}, ${colorScheme}, ${size}`).toEqual([]);
  }
  await screen.undo?.(page);
}
