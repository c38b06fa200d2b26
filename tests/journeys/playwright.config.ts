import { defineConfig } from '@playwright/test';
import { patience } from '../../core/testing/patience.ts';
import { launchForPictures } from '../browser/browser.ts';

/**
 * Journeys run in the machine's own Chromium (`CHROME_PATH`), three files at a time, each worker against a real server
 * of its own with the demo plant.
 */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/journeys',
  globalSetup: './serve-demo.ts',
  workers: process.env['JOURNEY_ADDRESS'] === undefined ? 3 : 1,
  // Each wait ends by itself and says what it waited for; the limit of a whole journey is only a last resort.
  timeout: 300_000,
  expect: { timeout: patience },
  use: {
    actionTimeout: patience,
    navigationTimeout: patience,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    // A trace costs processor time in each journey, also in those that pass: "--trace on" makes one.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: launchForPictures,
  },
});
