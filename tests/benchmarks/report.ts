import { stripVTControlCharacters } from 'node:util';
import type { BenchResult } from './bench.ts';

/** One benchmark that was run. */
export interface BenchRun {
  readonly bench: string;
  readonly seconds: number;
  readonly results: readonly BenchResult[];
  /** Why it failed, in one line. */
  readonly failure?: string | undefined;
}

/** The output of `--json`. */
export interface BenchReport {
  readonly results: readonly (BenchResult & { readonly bench: string })[];
  readonly failures: readonly { readonly bench: string; readonly message: string }[];
  readonly durations: readonly { readonly bench: string; readonly seconds: number }[];
}

const judgedByPeople = new Set(['s', 'ms']);
const maxCauseLength = 400;

/**
 * Reasons for a failed run: a benchmark that threw, a result without a value, a missed bar in any unit but seconds, or
 * no measurement at all.
 */
export function reasonsToFail(runs: readonly BenchRun[]): readonly string[] {
  const results = runs.flatMap((run) => run.results);
  const measured = results.filter(isMeasured);
  const missed = measured.filter(({ holds, unit }) => !holds && !judgedByPeople.has(unit));
  const failures = listFailures(runs);
  return [
    ...missed.map((result) =>
      `${result.name}: ${figure(result.value)} ${result.unit}, the bar is ${sign(result)} ${figure(result.bar)}`.replace(
        '  ',
        ' ',
      ),
    ),
    ...failures.map(({ bench, message }) => `${bench} could not measure: ${message}`),
    ...(measured.length === 0 && failures.length === 0 ? ['Nothing was measured.'] : []),
  ];
}

/** The message of an error and of its cause in one line, without colours, code frames and stack. */
export function formatCause(error: Error): string {
  const messages = [
    error.message,
    ...(error.cause instanceof Object && 'message' in error.cause ? [error.cause.message] : []),
  ];
  const line = messages
    .flatMap((message) => stripVTControlCharacters(String(message)).split('\n'))
    .map((part) =>
      part
        .replaceAll(/[\u2500-\u257f]+/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter((part) => part !== '' && !/^at |^Call log:|^\^$/.test(part))
    .join(' ');
  return line.length > maxCauseLength ? `${line.slice(0, maxCauseLength - 1)}…` : line;
}

export function toJson(runs: readonly BenchRun[]): BenchReport {
  return {
    results: runs.flatMap(({ bench, results }) => results.map((result) => ({ bench, ...result }))),
    failures: listFailures(runs),
    durations: runs.map(({ bench, seconds }) => ({ bench, seconds: Math.round(seconds * 10) / 10 })),
  };
}

/** Formats all results, failures and durations. */
export function describeRuns(runs: readonly BenchRun[]): string {
  const results = runs.flatMap((run) => run.results);
  const width = Math.max(...runs.map(({ bench }) => bench.length));
  const row = (name: string, text: string): string => `${name.padEnd(width)}  ${text}`;
  const seconds = (value: number): string => `${value.toFixed(0)} s`;
  return [
    ...(results.length > 0 ? [describeResults(results)] : []),
    ...listFailures(runs).map(({ bench, message }) => `FAILED  ${row(bench, message)}`),
    '',
    ...runs.map((run) => row(run.bench, seconds(run.seconds).padStart(6))),
    row('all', seconds(runs.reduce((sum, run) => sum + run.seconds, 0)).padStart(6)),
  ].join('\n');
}

function listFailures(runs: readonly BenchRun[]): readonly { readonly bench: string; readonly message: string }[] {
  return runs.flatMap(({ bench, results, failure }) => [
    ...(failure === undefined ? [] : [{ bench, message: failure }]),
    ...results
      .filter((result) => !isMeasured(result))
      .map(({ name }) => ({ bench, message: `${name} has no figure.` })),
  ]);
}

const isMeasured = ({ value }: BenchResult): boolean => Number.isFinite(value);

/** One line per result: name, value, bar and comparison. */
export function describeResults(results: readonly BenchResult[]): string {
  const rows = results.map((result) => {
    const verdict = formatVerdict(result);
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

function formatVerdict(result: BenchResult): string {
  if (!isMeasured(result)) return 'FAILED';
  if (result.holds) return 'holds';
  return judgedByPeople.has(result.unit) ? 'look' : 'MISSED';
}

const sign = ({ better }: BenchResult): string => (better === 'lower' ? 'at most' : 'at least');

function figure(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 0.1 ? 2 : 4);
}
