import { defineConfig } from '@playwright/test';
import journeys from '../journeys/playwright.config.ts';

/** Takes the pictures of the README. Run `npx playwright test --config tests/pictures/playwright.config.ts`. */
export default defineConfig({
  ...journeys,
  testDir: '.',
  globalSetup: '../journeys/serve-demo.ts',
  workers: 1,
  use: { ...journeys.use, deviceScaleFactor: 1 },
});
