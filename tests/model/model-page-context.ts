import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { launchBrowserForPictures } from '../browser/browser.ts';
import { watchGl } from '../browser/gl-watch.ts';
import type { ModelPage } from './engine-page.ts';
import { serveModelPage, type ModelPageServer } from './model-page-server.ts';

declare global {
  interface Window {
    readonly modelPage: ModelPage;
  }
}

export interface ModelPageContext {
  /** The page of `engine-page.ts` in the current test. An error in the page fails the test. */
  readonly page: Page;
  /** Counts the live GPU objects, except the sync objects of pending work. */
  countLiveObjects(): Promise<number>;
}

/**
 * Opens the page before each test of a file. `buildModels` returns the models by path. It may write to a folder, which
 * is removed after the tests.
 */
export function setupModelPage(
  buildModels: (folder: string) => Promise<Readonly<Record<string, Uint8Array>>>,
): ModelPageContext {
  const folder = mkdtempSync(path.join(tmpdir(), 'walkdown-model-'));
  const pageErrors: string[] = [];
  let server: ModelPageServer;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    server = await serveModelPage(await buildModels(folder));
    browser = await launchBrowserForPictures();
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 960, height: 540 } });
    page.on('pageerror', (error) => pageErrors.push(error.message));
    await watchGl(page);
    await page.goto(server.url);
  });
  afterEach(async () => {
    await page.close();
    expect(pageErrors.splice(0)).toEqual([]);
  });
  return {
    get page() {
      return page;
    },
    countLiveObjects: async () => {
      const { Sync: _, ...counts } = await page.evaluate(() => window.glWatch.countObjects());
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    },
  };
}
