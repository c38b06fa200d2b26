/** A measured value and the bar that it must meet. */
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
  /** What `value` is compared with: the peer or baseline of the same run and its value, or else a description. */
  readonly against: string;
}

/** Input of a benchmark. */
export interface BenchContext {
  /** Absolute path of the project root. */
  readonly root: string;
  /** Absolute path of a folder in the project that all benchmarks of one run share. It is removed after the run. */
  readonly sharedFolder: string;
  /** Absolute path of Chromium or Chrome. */
  readonly chromium: string;
  /** Returns `usualCount`, or `quickCount` with `--quick`, which only checks that the benchmark works. */
  chooseCount(quickCount: number, usualCount: number): number;
  /** Prints one progress line, never to stdout. */
  log(text: string): void;
}

/**
 * The type of the default export of each `*.bench.ts`.
 *
 * @throws Error if it cannot measure
 */
export type Bench = (context: BenchContext) => Promise<readonly BenchResult[]>;

interface MeasuredValue {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly against: string;
}

/** Creates a result that may be at most `bar`. */
export function atMost(bar: number, measuredValue: MeasuredValue): BenchResult {
  return { ...measuredValue, bar, better: 'lower', holds: measuredValue.value <= bar };
}

/** Creates a result that must be at least `bar`. */
export function atLeast(bar: number, measuredValue: MeasuredValue): BenchResult {
  return { ...measuredValue, bar, better: 'higher', holds: measuredValue.value >= bar };
}

/** Computes the median. For an even count it is the lower of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  if (middle === undefined) throw new Error('An empty list has no median.');
  return middle;
}
