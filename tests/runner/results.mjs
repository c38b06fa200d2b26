import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * One test or check.
 *
 * @typedef {{ title: string; file: string; state: 'passed' | 'failed' | 'skipped'; message?: string }} Result
 */

/** @returns {Result[]} from Vitest's JSON report. A file that could not be loaded counts as one failed test. */
export function readVitestResults(file, root) {
  if (!existsSync(file)) return [{ title: 'Vitest wrote no report', file: '', state: 'failed' }];
  const report = JSON.parse(readFileSync(file, 'utf8'));
  return report.testResults.flatMap((suite) => {
    const name = path.relative(root, suite.name);
    const tests = suite.assertionResults.map((test) => ({
      title: test.fullName,
      file: name,
      state: test.status === 'passed' ? 'passed' : test.status === 'failed' ? 'failed' : 'skipped',
      ms: test.duration ?? 0,
      message: test.failureMessages?.[0],
    }));
    return suite.status === 'failed' && !tests.some(({ state }) => state === 'failed')
      ? [...tests, { title: 'the test file can be loaded', file: name, state: 'failed', message: suite.message }]
      : tests;
  });
}

/** @returns {Result[]} from the report of `UnhandledErrorsReporter`: one failed result per error. */
export function readUnhandledErrors(file, root) {
  if (!existsSync(file)) return [];
  return JSON.parse(readFileSync(file, 'utf8')).map((error) => ({
    title: 'an error was thrown outside of a test',
    file: error.file ? path.relative(root, error.file) : '',
    state: 'failed',
    message: error.message,
  }));
}

/**
 * Adds a failed result if the program failed without a failed test, for example in its setup.
 *
 * @returns {Result[]}
 */
export function addExitFailure(name, status, results) {
  if (status === 0 || results.some(({ state }) => state === 'failed')) return results;
  return [...results, { title: `${name} ended with ${status}. See its output above.`, file: '', state: 'failed' }];
}

/** @returns {Result[]} from Playwright's JSON report. */
export function readPlaywrightResults(file, root) {
  if (!existsSync(file)) return [{ title: 'Playwright wrote no report', file: '', state: 'failed' }];
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const results = [];
  const walk = (suite, trail) => {
    const titles = suite.title && !suite.title.endsWith('.ts') ? [...trail, suite.title] : trail;
    for (const spec of suite.specs ?? []) {
      for (const test of spec.tests) {
        const state = test.status === 'skipped' ? 'skipped' : test.status === 'expected' ? 'passed' : 'failed';
        const message = test.results.at(-1)?.error?.message;
        results.push({
          title: [...titles, spec.title, ...(report.config.projects.length > 1 ? [`(${test.projectName})`] : [])].join(
            ' ',
          ),
          file: path.relative(root, path.resolve(report.config.rootDir, spec.file)),
          state,
          ms: test.results.reduce((sum, { duration }) => sum + duration, 0),
          message,
        });
      }
    }
    for (const inner of suite.suites ?? []) walk(inner, titles);
  };
  for (const suite of report.suites) walk(suite, []);
  for (const error of report.errors ?? [])
    results.push({ title: 'Playwright could start', file: '', state: 'failed', message: error.message });
  return results;
}

/** Returns the files with the longest total test time, slowest first. */
export function findSlowestFiles(results, count) {
  const files = new Map();
  for (const { file, ms = 0 } of results) files.set(file, (files.get(file) ?? 0) + ms / 1000);
  return [...files]
    .map(([file, seconds]) => ({ file, seconds }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, count);
}
