import { defineConfig } from 'vitest/config';
import { maxWaitMs, testTimeoutMs } from './core/testing/max-wait.ts';
import { v8OptionsForTests } from './core/testing/v8-options.ts';
import { buildJsdomBundle } from './core/testing/web/jsdom-bundle.ts';
import { buildPackageBundles } from './core/testing/web/package-bundles.ts';

/** Files with a process of their own: they replace modules by `vi.mock`, or measure the memory of their process. */
const isolatedFiles = [
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
// Fewer, larger collections of short-lived objects.
const execArgv = ['--max-semi-space-size=64', ...v8OptionsForTests()];
const execArgvWithDocument = [...execArgv, ...(await buildJsdomBundle(import.meta.dirname, execArgv))];
const globalSetup = ['core/testing/server/postgres-setup.ts'];

/**
 * Three workers for two cores: each waits for a browser, a process or a clock during a part of its time. Files of the
 * projects with `isolate: false` share the workers' processes: starting one for each costs more than most of them take.
 */
export default defineConfig({
  resolve: { alias: [...(await buildPackageBundles(import.meta.dirname))] },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          environment: 'node',
          execArgv,
          setupFiles,
          include: isolatedFiles,
          exclude: [...neverRun, ...withDocument],
        },
      },
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          execArgv,
          isolate: false,
          setupFiles,
          globalSetup,
          include: ['{core,plugins,cli,tests}/**/*.test.ts'],
          exclude: [...neverRun, ...withDocument, ...isolatedFiles],
        },
      },
      {
        extends: true,
        test: {
          name: 'document',
          environment: 'jsdom',
          execArgv: execArgvWithDocument,
          isolate: false,
          setupFiles,
          include: withDocument,
          exclude: [...neverRun, ...withScreens],
        },
      },
      {
        extends: true,
        test: {
          name: 'screens',
          environment: 'jsdom',
          execArgv: execArgvWithDocument,
          setupFiles,
          include: withScreens,
          exclude: neverRun,
        },
      },
    ],
    testTimeout: testTimeoutMs,
    hookTimeout: testTimeoutMs,
    expect: { poll: { timeout: maxWaitMs } },
    maxWorkers: 3,
  },
});
