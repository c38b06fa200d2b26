import { defineConfig } from 'vitest/config';
import { patience } from './core/testing/patience.ts';
import { fluentBundle } from './core/testing/web/fluent-bundle.ts';

/**
 * Two projects: what runs in Node, and what needs a document. One worker more than a machine with two cores has: a
 * third of their time they wait for a browser, a process or a clock. The time limits end only what hangs: on a busy
 * machine everything takes many times as long.
 */
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          setupFiles: ['core/testing/setup.ts'],
          globalSetup: ['core/testing/server/postgres-setup.ts'],
          include: ['core/**/*.test.ts', 'plugins/**/*.test.ts', 'cli/**/*.test.ts', 'tests/**/*.test.ts'],
          exclude: [
            '**/node_modules/**',
            'core/web/**',
            'core/testing/web/**',
            'plugins/*/web/**',
            'tests/journeys/**',
            'tests/benchmarks/peers/**',
            'cli/templates/**',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'web',
          environment: 'jsdom',
          alias: [{ find: /^@fluentui\/react-components$/, replacement: await fluentBundle(import.meta.dirname) }],
          setupFiles: ['core/testing/setup.ts', 'core/testing/web/setup.ts'],
          include: [
            'core/web/**/*.test.{ts,tsx}',
            'core/testing/web/**/*.test.{ts,tsx}',
            'plugins/*/web/**/*.test.{ts,tsx}',
          ],
        },
      },
    ],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: patience } },
    maxWorkers: 3,
  },
});
