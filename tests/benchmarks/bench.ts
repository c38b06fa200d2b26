/** What one benchmark measured, and the bar that it is held to. */
export interface BenchResult {
  /** Unique among all results, such as `login scripts, gzip`. */
  readonly name: string;
  readonly value: number;
  /** `s` and `ms` are printed and judged by people; anything else fails the bench where it misses its bar. */
  readonly unit: string;
  readonly bar: number;
  /** Which side of the bar is the good one. */
  readonly better: 'lower' | 'higher';
  readonly holds: boolean;
  /** The peer or floor of the same run, with its own figure; or how it was measured. */
  readonly against: string;
}

/** What a benchmark is given. */
export interface BenchContext {
  /** Absolute path of the project. */
  readonly root: string;
  /** Absolute path of a folder within the project that all benches of one run share; it is removed after the run. */
  readonly shared: string;
  /** Absolute path of Chromium or Chrome. */
  readonly chromium: string;
  /**
   * How often to repeat: `usual`, or `few` with `--quick`, which shows that a benchmark works and not how fast anything
   * is.
   */
  count(few: number, usual: number): number;
  /** One line for the person who waits; never on stdout. */
  say(text: string): void;
}

/** The default export of each `*.bench.ts`. Throws where it cannot measure: what was not measured holds no bar. */
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

/** The middle value; of an even count the lower of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  if (middle === undefined) throw new Error('There is no median of nothing.');
  return middle;
}
