import { defineConfig } from '@playwright/test';

/** Journeys run in the machine's own Chromium (`CHROME_PATH`), one after the other, against one real server with the demo plant. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/journeys',
  globalSetup: './serve-demo.ts',
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
      // Without a GPU the panorama is drawn in software.
      ignoreDefaultArgs: ['--disable-gpu'],
      args: [
        '--no-sandbox',
        '--disable-gpu-sandbox',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--use-gl=angle',
        '--use-angle=swiftshader',
        '--enable-unsafe-swiftshader',
      ],
    },
  },
});
