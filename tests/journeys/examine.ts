import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import type { WalkedScreen } from './screens.ts';
import { settle, visit } from './visit.ts';

const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } } as const;
/** Both languages, light and dark, desktop and phone. */
export const walks = [
  {
    language: 'en-GB',
    looks: [
      ['light', 'desktop'],
      ['dark', 'phone'],
    ],
  },
  {
    language: 'fr-FR',
    looks: [
      ['dark', 'desktop'],
      ['light', 'phone'],
    ],
  },
] as const;

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Runs axe in the page. Its source is injected once per page load. */
async function runAxe(page: Page, without: readonly string[]): Promise<AxeResults> {
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axeSource);
  const options: RunOptions = {
    resultTypes: ['violations'],
    runOnly: { type: 'tag', values: tags },
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
  };
  return page.evaluate(
    (given) => (window as unknown as { axe: { run: (options: RunOptions) => Promise<AxeResults> } }).axe.run(given),
    options,
  );
}

/** Faults of a screen: axe violations and horizontal scrolling. */
async function findFaults(page: Page, screen: WalkedScreen): Promise<readonly string[]> {
  const { violations, passes } = await runAxe(page, screen.without ?? []);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
    ...(passes.length === 0 ? ['axe examined nothing'] : []),
    ...(overflow > 0 ? [`scrolls sideways by ${overflow} px`] : []),
  ];
}

/** Loads each screen once, then changes its size and colour scheme. */
export async function examine(page: Page, screen: WalkedScreen, looks: (typeof walks)[number]['looks']): Promise<void> {
  for (const [index, [colorScheme, size]] of looks.entries()) {
    await page.setViewportSize(sizes[size]);
    await page.emulateMedia({ colorScheme });
    await (index === 0 ? visit(page, screen) : settle(page));
    expect.soft(await findFaults(page, screen), `${screen.name}, ${colorScheme}, ${size}`).toEqual([]);
  }
  await screen.undo?.(page);
}
