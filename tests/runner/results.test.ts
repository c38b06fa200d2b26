import { describe, expect, it } from 'vitest';
import { withExitFailure, type Result } from './results.mjs';

const result = (state: Result['state']): Result => ({ title: 'a test', file: 'a.test.ts', state });

describe('results of a test program', () => {
  it('fail if the program failed without a failed test, as after a failed setup', () => {
    expect(withExitFailure('Vitest', 1, [])).toMatchObject([
      { state: 'failed', title: expect.stringContaining('Vitest') },
    ]);
    expect(withExitFailure('Vitest', null, [result('passed')]).map(({ state }) => state)).toEqual(['passed', 'failed']);
  });

  it('stay unchanged if the program passed or a test failed', () => {
    expect(withExitFailure('Vitest', 0, [result('passed')])).toEqual([result('passed')]);
    expect(withExitFailure('Vitest', 1, [result('failed')])).toEqual([result('failed')]);
  });
});
