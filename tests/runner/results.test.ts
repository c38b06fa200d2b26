import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { addExitFailure, readUnhandledErrors, type Result } from './results.mjs';
import UnhandledErrorsReporter, { unhandledErrorsVariable } from './unhandled-errors.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'walkdown-results-'));
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rmSync(folder, { recursive: true }));

const buildResult = (state: Result['state']): Result => ({ title: 'a test', file: 'a.test.ts', state });

describe('results of a test program', () => {
  it('contain a failure if the program failed without a failed test', () => {
    expect(addExitFailure('Vitest', 1, [])).toMatchObject([
      { state: 'failed', title: expect.stringContaining('Vitest') },
    ]);
    expect(addExitFailure('Vitest', null, [buildResult('passed')]).map(({ state }) => state)).toEqual([
      'passed',
      'failed',
    ]);
  });

  it('stay unchanged if the program passed or a test failed', () => {
    expect(addExitFailure('Vitest', 0, [buildResult('passed')])).toEqual([buildResult('passed')]);
    expect(addExitFailure('Vitest', 1, [buildResult('failed')])).toEqual([buildResult('failed')]);
  });

  it('contain each error that was thrown outside of a test', () => {
    const file = path.join(folder, 'errors.json');
    vi.stubEnv(unhandledErrorsVariable, file);
    new UnhandledErrorsReporter().onTestRunEnd(
      [],
      [
        {
          name: 'TypeError',
          message: 'no window',
          stack: 'TypeError: no window\n    at draw',
          VITEST_TEST_PATH: path.join(folder, 'a.test.ts'),
          VITEST_TEST_NAME: 'draws',
        },
        { name: 'Error', message: 'closed' },
      ],
    );
    expect(readUnhandledErrors(file, folder)).toEqual([
      {
        title: 'an error was thrown outside of a test',
        file: 'a.test.ts',
        state: 'failed',
        message: 'During "draws":\nTypeError: no window\n    at draw',
      },
      { title: 'an error was thrown outside of a test', file: '', state: 'failed', message: 'Error: closed' },
    ]);
    expect(readUnhandledErrors(path.join(folder, 'none.json'), folder)).toEqual([]);
  });
});
