import { describe, expect, it } from 'vitest';
import { withExitFailure, type Result } from './results.mjs';

const result = (state: Result['state']): Result => ({ title: 'a test', file: 'a.test.ts', state });

describe('the results of a program of tests', () => {
  it('fail where it ended by an error that no test tells: a set-up that failed leaves no results at all', () => {
    expect(withExitFailure('Vitest', 1, [])).toMatchObject([
      { state: 'failed', title: expect.stringContaining('Vitest') },
    ]);
    expect(withExitFailure('Vitest', null, [result('passed')]).map(({ state }) => state)).toEqual(['passed', 'failed']);
  });

  it('are as they are where it ended well, or where a test says why not', () => {
    expect(withExitFailure('Vitest', 0, [result('passed')])).toEqual([result('passed')]);
    expect(withExitFailure('Vitest', 1, [result('failed')])).toEqual([result('failed')]);
  });
});
