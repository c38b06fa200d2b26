import { describe, expect, it } from 'vitest';
import { addExitFailure, type Result } from './results.mjs';

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
});
