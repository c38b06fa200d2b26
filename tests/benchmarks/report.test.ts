import { describe, expect, it } from 'vitest';
import { atLeast, atMost, median, type BenchResult } from './bench.ts';
import { formatCause, describeRuns, listReasonsToFail, toJson, type BenchRun } from './report.ts';

const against = 'the peer';
const buildRun = (bench: string, ...results: readonly BenchResult[]): BenchRun => ({ bench, seconds: 1.26, results });
const failedRun: BenchRun = { bench: 'build', seconds: 61.4, results: [], failure: 'no Vite' };
const files = atMost(8, { name: 'files', value: 4, unit: 'files', against });

describe('benchmark report', () => {
  it('fails for counts, sizes and ratios beyond their bars', () => {
    const run = buildRun(
      'weight',
      atMost(8, { name: 'files', value: 9, unit: 'files', against }),
      atLeast(0.8, { name: 'rate', value: 0.79, unit: 'x', against }),
      atMost(95, { name: 'shell', value: 95, unit: 'KiB', against }),
    );
    expect(listReasonsToFail([run])).toEqual([
      'files: 9 files, the bar is at most 8',
      'rate: 0.79 x, the bar is at least 0.80',
    ]);
  });

  it('shows times beyond their bars without failing', () => {
    const run = buildRun(
      'login',
      atMost(1, { name: 'paint', value: 1.5, unit: 's', against }),
      atMost(50, { name: 'rebuild', value: 70, unit: 'ms', against }),
    );
    expect(listReasonsToFail([run])).toEqual([]);
    expect(describeRuns([run])).toContain(
      'look  paint    1.50 s  at most 1   the peer\nlook  rebuild   70 ms  at most 50  the peer\n',
    );
  });

  it('fails if a benchmark threw or nothing was measured', () => {
    expect(listReasonsToFail([failedRun, buildRun('weight', files)])).toEqual(['build could not measure: no Vite']);
    expect(listReasonsToFail([])).toEqual(['Nothing was measured.']);
  });

  it('prints results, then failures with their causes, then durations', () => {
    expect(describeRuns([failedRun, buildRun('weight', files)]).split('\n')).toEqual([
      'holds  files  4 files  at most 8  the peer',
      'FAILED  build   no Vite',
      '',
      'build     61 s',
      'weight     1 s',
      'all       63 s',
    ]);
  });

  it('converts results, failures and durations to JSON', () => {
    expect(toJson([failedRun, buildRun('weight', files)])).toEqual({
      results: [{ bench: 'weight', ...files }],
      failures: [{ bench: 'build', message: 'no Vite' }],
      durations: [
        { bench: 'build', seconds: 61.4 },
        { bench: 'weight', seconds: 1.3 },
      ],
    });
  });

  it.each(['s', 'x'])('fails for a result in %s that is not a number', (unit) => {
    const run = buildRun('accuracy', atMost(1, { name: 'angle', value: Number.NaN, unit, against }));
    expect(listReasonsToFail([run])).toEqual(['accuracy could not measure: angle has no figure.']);
    expect(describeRuns([run])).toMatch(/^FAILED {2}angle/);
  });

  it('formats the cause of an error as one line', () => {
    const vite = new Error(
      'the build by Vite ended with 1: \u001b[31m[INVALID_TLA_FORMAT] \u001b[0mUse the "es" format.\n' +
        `   \u001b[38;5;246m╭─[\u001b[0m node_modules/a.wasm:6\n${'─'.repeat(900)}\n    at #build (rolldown.mjs:1)\n`,
    );
    expect(formatCause(vite)).toBe(
      'the build by Vite ended with 1: [INVALID_TLA_FORMAT] Use the "es" format. [ node_modules/a.wasm:6',
    );
    const cause = new Error('Waited 60 s.\n    at wait (a.ts:1)');
    expect(formatCause(new Error('giro3d showed no cloud.', { cause }))).toBe('giro3d showed no cloud. Waited 60 s.');
    expect(formatCause(new Error('a '.repeat(1000)))).toHaveLength(400);
  });

  it('computes the median', () => {
    expect([median([3, 1, 2]), median([4, 1, 3, 2]), median([5])]).toEqual([2, 2, 5]);
    expect(() => median([])).toThrow('no median');
  });
});
