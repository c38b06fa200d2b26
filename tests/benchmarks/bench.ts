/** One measured value and its bar. */
export interface BenchResult {
  /** Unique among all results, such as `login scripts, gzip`. */
  readonly name: string;
  readonly value: number;
  /** Results in `s` and `ms` are only printed. Any other unit fails the run if the bar is missed. */
  readonly unit: string;
  readonly bar: number;
  /** Whether the bar is a maximum or a minimum. */
  readonly better: 'lower' | 'higher';
  readonly holds: boolean;
  /** The peer or baseline of the same run with its value, or how the value was measured. */
  readonly against: string;
}

/** Input of a benchmark. */
export interface BenchContext {
  /** Absolute path of the project root. */
  readonly root: string;
  /** Absolute path of a folder in the project that all benchmarks of one run share. It is removed after the run. */
  readonly shared: string;
  /** Absolute path of Chromium or Chrome. */
  readonly chromium: string;
  /** Number of repetitions: `usual`, or `few` with `--quick`, which only checks that the benchmark works. */
  count(few: number, usual: number): number;
  /** Prints one progress line, never to stdout. */
  say(text: string): void;
}

/**
 * The default export of each `*.bench.ts`.
 *
 * @throws Error if it cannot measure
 */
export type Bench = (context: BenchContext) => Promise<readonly BenchResult[]>;

interface Measured {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly against: string;
}

/** A result that may be at most `bar`. */
export function atMost(bar: number, measured: Measured): BenchResult {
  return { ...measured, bar, better: 'lower', holds: measured.value <= bar };
}

/** A result that must be at least `bar`. */
export function atLeast(bar: number, measured: Measured): BenchResult {
  return { ...measured, bar, better: 'higher', holds: measured.value >= bar };
}

/** The median; for an even count the lower of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  if (middle === undefined) throw new Error('There is no median of nothing.');
  return middle;
}
