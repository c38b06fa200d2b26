import { defineConfig } from '@playwright/test';
import { maxWaitMs } from '../../core/testing/max-wait.ts';
import { pictureLaunchOptions } from '../browser/browser.ts';

/**
 * Journeys run in the installed Chromium (`CHROME_PATH`), three files at a time. Each worker has a real server with the
 * demo plant.
 */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/journeys',
  globalSetup: './serve-demo.ts',
  workers: process.env['JOURNEY_ADDRESS'] === undefined ? 3 : 1,
  // Each wait has its own limit and an error message. The limit of a whole journey is a last resort.
  timeout: 300_000,
  expect: { timeout: maxWaitMs },
  use: {
    actionTimeout: maxWaitMs,
    navigationTimeout: maxWaitMs,
    viewport: { width: 1440, height: 900 },
    // Tests use CSS pixels. Fewer pixels take less time without a graphics card.
    deviceScaleFactor: 0.5,
    locale: 'en-GB',
    // Traces cost CPU time even in passing journeys; "--trace on" records one.
    trace: 'off',
    screenshot: 'only-on-failure',
    // Mesa draws only WebGL. Composing pages by it as well doubles the CPU time of the GPU process on ordinary screens.
    launchOptions: { ...pictureLaunchOptions, args: [...pictureLaunchOptions.args, '--disable-gpu-compositing'] },
  },
});
