import { defineConfig } from 'vitest/config';
import { patience, testTimeout } from './core/testing/patience.ts';
import { fluentBundle } from './core/testing/web/fluent-bundle.ts';

/** These replace modules of the project by `vi.mock`, which needs a process of their own. */
const withMockedModules = ['core/server/backup/archive-writer.test.ts'];
const neverRun = ['**/node_modules/**', 'tests/journeys/**', 'tests/benchmarks/peers/**', 'cli/templates/**'];
const setupFiles = ['core/testing/setup.ts'];
const globalSetup = ['core/testing/server/postgres-setup.ts'];

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
          name: 'server',
          environment: 'node',
          // Each file has its own databases and servers. One process saves importing and compiling them for each file.
          isolate: false,
          setupFiles,
          globalSetup,
          include: ['core/{common,server}/**/*.test.ts', 'plugins/*/{contract,server}/**/*.test.ts'],
          exclude: [...neverRun, ...withMockedModules],
        },
      },
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          setupFiles,
          globalSetup,
          include: [
            'core/{testing,web}/**/*.test.ts',
            'plugins/*/*.test.ts',
            'plugins/*/web/**/*.test.ts',
            'cli/**/*.test.ts',
            'tests/**/*.test.ts',
            ...withMockedModules,
          ],
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
