import { stripVTControlCharacters } from 'node:util';
import type { BenchResult } from './bench.ts';

/** The run of one benchmark. */
export interface BenchRun {
  readonly bench: string;
  readonly seconds: number;
  readonly results: readonly BenchResult[];
  /** The reason for a failure in one line. */
  readonly failure?: string | undefined;
}

/** The output of `--json`. */
export interface BenchReport {
  readonly results: readonly (BenchResult & { readonly bench: string })[];
  readonly failures: readonly { readonly bench: string; readonly message: string }[];
  readonly durations: readonly { readonly bench: string; readonly seconds: number }[];
}

const unenforcedUnits = new Set(['s', 'ms']);
const maxCauseLength = 400;

/**
 * Lists the reasons for a failed run: benchmarks that threw, results without a value, missed bars in any unit but
 * seconds, or no measurement at all.
 */
export function listReasonsToFail(runs: readonly BenchRun[]): readonly string[] {
  const results = runs.flatMap((run) => run.results);
  const measuredResults = results.filter(isMeasured);
  const missedResults = measuredResults.filter(({ holds, unit }) => !holds && !unenforcedUnits.has(unit));
  const failures = listFailures(runs);
  return [
    ...missedResults.map((result) =>
      `${result.name}: ${formatFigure(result.value)} ${result.unit}, the bar is ${formatSign(result)} ${formatFigure(result.bar)}`.replace(
        '  ',
        ' ',
      ),
    ),
    ...failures.map(({ bench, message }) => `${bench} could not measure: ${message}`),
    ...(measuredResults.length === 0 && failures.length === 0 ? ['Nothing was measured.'] : []),
  ];
}

/** Formats the messages of an error and of its cause as one line without colours, code frames and stack. */
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
  const formatRow = (name: string, text: string): string => `${name.padEnd(width)}  ${text}`;
  const formatSeconds = (value: number): string => `${value.toFixed(0)} s`;
  return [
    ...(results.length > 0 ? [describeResults(results)] : []),
    ...listFailures(runs).map(({ bench, message }) => `FAILED  ${formatRow(bench, message)}`),
    '',
    ...runs.map((run) => formatRow(run.bench, formatSeconds(run.seconds).padStart(6))),
    formatRow('all', formatSeconds(runs.reduce((sum, run) => sum + run.seconds, 0)).padStart(6)),
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

/** Formats one line per result with verdict, name, value, bar and comparison. */
export function describeResults(results: readonly BenchResult[]): string {
  const rows = results.map((result) => {
    const verdict = formatVerdict(result);
    return [
      verdict,
      result.name,
      `${formatFigure(result.value)} ${result.unit}`.trim(),
      `${formatSign(result)} ${formatFigure(result.bar)}`,
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
  return unenforcedUnits.has(result.unit) ? 'look' : 'MISSED';
}

const formatSign = ({ better }: BenchResult): string => (better === 'lower' ? 'at most' : 'at least');

function formatFigure(value: number): string {
  if (Number.isInteger(value)) return String(value);
  const magnitude = Math.abs(value);
  if (magnitude >= 100) return value.toFixed(0);
  if (magnitude >= 10) return value.toFixed(1);
  return value.toFixed(magnitude >= 0.1 ? 2 : 4);
}
