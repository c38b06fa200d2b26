import { defineConfig } from 'vitest/config';
import { patience, testTimeout } from './core/testing/patience.ts';
import { fluentBundle } from './core/testing/web/fluent-bundle.ts';

const neverRun = ['**/node_modules/**', 'tests/journeys/**', 'tests/benchmarks/peers/**', 'cli/templates/**'];
const setupFiles = ['core/testing/setup.ts'];

/**
 * Three workers for two cores: each waits for a browser, a process or a clock during a third of its time. A `.test.ts`
 * below a `web` folder that needs a document begins with `@vitest-environment jsdom`.
 */
export default defineConfig({
  resolve: {
    alias: [{ find: /^@fluentui\/react-components$/, replacement: await fluentBundle(import.meta.dirname) }],
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          setupFiles,
          globalSetup: ['core/testing/server/postgres-setup.ts'],
          include: ['{core,plugins,cli,tests}/**/*.test.ts'],
          exclude: neverRun,
        },
      },
      {
        extends: true,
        test: {
          name: 'web',
          environment: 'jsdom',
          setupFiles,
          include: ['{core,plugins}/**/*.test.tsx'],
          exclude: neverRun,
        },
      },
    ],
    testTimeout,
    hookTimeout: testTimeout,
    expect: { poll: { timeout: patience } },
    maxWorkers: 3,
  },
});
