import { describe, expect, it } from 'vitest';
import { atLeast, atMost, median } from './bench.ts';
import { describeResults, reasonsToFail } from './report.ts';

const against = 'the peer';

describe('the bench', () => {
  it('fails for a count, bytes or a ratio that misses its bar, and names it', () => {
    const results = [
      atMost(8, { name: 'files', value: 9, unit: 'files', against }),
      atLeast(0.8, { name: 'rate', value: 0.79, unit: 'x', against }),
      atMost(95, { name: 'shell', value: 95, unit: 'KiB', against }),
    ];
    expect(reasonsToFail(results, [])).toEqual([
      'files: 9 files, the bar is at most 8',
      'rate: 0.79 x, the bar is at least 0.80',
    ]);
  });

  it('shows seconds that miss their bar and does not fail for them', () => {
    const results = [
      atMost(1, { name: 'paint', value: 1.5, unit: 's', against }),
      atMost(50, { name: 'rebuild', value: 70, unit: 'ms', against }),
    ];
    expect(reasonsToFail(results, [])).toEqual([]);
    expect(describeResults(results)).toBe(
      'look  paint    1.50 s  at most 1   the peer\nlook  rebuild   70 ms  at most 50  the peer',
    );
  });

  it('fails where a benchmark broke, and where nothing was measured', () => {
    expect(reasonsToFail([], [{ bench: 'build', message: 'no Vite' }])).toEqual(['build could not measure: no Vite']);
    expect(reasonsToFail([], [])).toEqual(['Nothing was measured.']);
  });

  it('takes the middle value', () => {
    expect([median([3, 1, 2]), median([4, 1, 3, 2]), median([5])]).toEqual([2, 2, 5]);
    expect(() => median([])).toThrow('nothing');
  });
});
