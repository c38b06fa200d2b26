import type { BenchResult } from './bench.ts';

/** A benchmark that could not measure, and why. */
export interface BenchFailure {
  readonly bench: string;
  readonly message: string;
}

const judgedByPeople = new Set(['s', 'ms']);

/**
 * Why the bench fails: a bar of a count, of bytes or of a ratio that does not hold, a benchmark that broke, or nothing
 * measured at all. Seconds are judged by people.
 */
export function reasonsToFail(results: readonly BenchResult[], failures: readonly BenchFailure[]): readonly string[] {
  const missed = results.filter(({ holds, unit }) => !holds && !judgedByPeople.has(unit));
  return [
    ...missed.map((result) =>
      (
        `${result.name}: ${figure(result.value)} ${result.unit}, the bar is ${sign(result)} ` + `${figure(result.bar)}`
      ).replace('  ', ' '),
    ),
    ...failures.map(({ bench, message }) => `${bench} could not measure: ${message}`),
    ...(results.length === 0 && failures.length === 0 ? ['Nothing was measured.'] : []),
  ];
}

/** One line a result: its name, its value, its bar, and what it was held against. */
export function describeResults(results: readonly BenchResult[]): string {
  const rows = results.map((result) => {
    const verdict = result.holds ? 'holds' : judgedByPeople.has(result.unit) ? 'look' : 'MISSED';
    return [
      verdict,
      result.name,
      `${figure(result.value)} ${result.unit}`.trim(),
      `${sign(result)} ${figure(result.bar)}`,
      result.against,
    ];
  });
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 2 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const sign = ({ better }: BenchResult): string => (better === 'lower' ? 'at most' : 'at least');

function figure(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 0.1 ? 2 : 4);
}
