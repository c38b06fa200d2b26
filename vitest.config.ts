import { defineConfig } from 'vitest/config';
import { maxWaitMs, testTimeoutMs } from './core/testing/max-wait.ts';
import { v8OptionsForTests } from './core/testing/v8-options.ts';
import { buildFluentBundle } from './core/testing/web/fluent-bundle.ts';

/** Files with a process of their own: they replace modules by `vi.mock`, or measure the memory of their process. */
const alone = [
  'core/server/backup/archive-writer.test.ts',
  'core/testing/sample-data.test.ts',
  'cli/bundle/write-product.test.ts',
  'cli/dev/watch-sources.test.ts',
  'core/server/files/receive-upload.test.ts',
  'core/server/media/tile-pyramid.test.ts',
];
const withDocument = ['{core,plugins}/**/*.dom.test.ts'];
/** These draw screens, or run a page's first script: what React and Fluent keep between files would slow them down. */
const withScreens = ['{core,plugins}/**/*.test.tsx', 'core/web/sign-in/boot.dom.test.ts'];
const neverRun = ['**/node_modules/**', 'tests/journeys/**', 'tests/benchmarks/peers/**', 'cli/templates/**'];
const setupFiles = ['core/testing/setup.ts'];
const globalSetup = ['core/testing/server/postgres-setup.ts'];

/**
 * Three workers for two cores: each waits for a browser, a process or a clock during a part of its time. Files of the
 * projects with `isolate: false` share the workers' processes: starting one for each costs more than most of them take.
 */
export default defineConfig({
  resolve: {
    alias: [{ find: /^@fluentui\/react-components$/, replacement: await buildFluentBundle(import.meta.dirname) }],
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          environment: 'node',
          setupFiles,
          include: alone,
          exclude: [...neverRun, ...withDocument],
        },
      },
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          isolate: false,
          setupFiles,
          globalSetup,
          include: ['{core,plugins,cli,tests}/**/*.test.ts'],
          exclude: [...neverRun, ...withDocument, ...alone],
        },
      },
      {
        extends: true,
        test: {
          name: 'document',
          environment: 'jsdom',
          isolate: false,
          setupFiles,
          include: withDocument,
          exclude: [...neverRun, ...withScreens],
        },
      },
      {
        extends: true,
        test: { name: 'screens', environment: 'jsdom', setupFiles, include: withScreens, exclude: neverRun },
      },
    ],
    // Fewer, larger collections of short-lived objects.
    execArgv: ['--max-semi-space-size=64', ...v8OptionsForTests()],
    testTimeout: testTimeoutMs,
    hookTimeout: testTimeoutMs,
    expect: { poll: { timeout: maxWaitMs } },
    maxWorkers: 3,
  },
});
