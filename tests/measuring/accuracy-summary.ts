import type { Outcome, ShownError } from './outcome.ts';
import type { TargetKind, TargetSurface } from './plant-targets.ts';

/** Errors in ascending order, in millimetres or degrees. */
export interface Errors {
  readonly count: number;
  readonly median: number;
  readonly p90: number;
  readonly p99: number;
  readonly worst: number;
}

export interface KindSummary {
  readonly targets: number;
  /** Share of targets that were measured. */
  readonly accepted: number;
  readonly errors: Errors;
  /** Share of the measured bare pipes with the correct nominal size; NaN without any. */
  readonly rightSize: number;
}

/** Maximum error of a distance, metres; proportional for long distances. */
const allowed = (truth: number, surface: TargetSurface): number =>
  surface === 'model' ? 0.001 : Math.max(0.008, truth * 0.0015);

export function summarize(outcomes: readonly Outcome[], kind: TargetKind): KindSummary {
  const own = outcomes.filter(({ target }) => target.kind === kind);
  const accepted = own.flatMap(({ target, value, nps }) =>
    value === undefined ? [] : [{ target, nps, error: Math.abs(value - target.truth) * (kind === 'ANGLE' ? 1 : 1000) }],
  );
  const bare = accepted.filter(({ target }) => target.nps !== undefined);
  return {
    targets: own.length,
    accepted: accepted.length / own.length,
    errors: summarizeErrors(accepted.map(({ error }) => error)),
    rightSize: bare.filter(({ target, nps }) => nps === target.nps).length / bare.length,
  };
}

/** Errors of distances divided by their maximum error. */
export function distanceShares(outcomes: readonly Outcome[]): Errors {
  return summarizeErrors(
    outcomes.flatMap(({ target, value }) =>
      target.kind === 'DISTANCE'
        ? [Math.abs((value ?? Infinity) - target.truth) / allowed(target.truth, target.surface)]
        : [],
    ),
  );
}

/** Errors in millimetres of single points, and of heights between two points. */
export const pointErrors = (outcomes: readonly Outcome[]): Errors =>
  summarizeErrors(outcomes.flatMap((outcome) => outcome.pointErrors.map((metres) => metres * 1000)));
export const heightErrors = (outcomes: readonly Outcome[]): Errors =>
  summarizeErrors(outcomes.flatMap(({ heightError }) => (heightError === undefined ? [] : [heightError * 1000])));

/** Percentile by nearest rank. */
function summarizeErrors(values: readonly number[]): Errors {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  return { count: sorted.length, median: at(0.5), p90: at(0.9), p99: at(0.99), worst: at(1) };
}

export const formatErrors = ({ median, p90, p99, worst }: Errors, unit: string): string =>
  `median ${median.toFixed(2)}, 90th ${p90.toFixed(2)}, 99th ${p99.toFixed(2)}, worst ${worst.toFixed(2)} ${unit}`;

/** Shares of errors within one and two shown uncertainties, among the results that show one. */
export interface Coverage {
  readonly count: number;
  readonly within: number;
  readonly withinTwice: number;
  /** Share of results that show an uncertainty. */
  readonly shownShare: number;
}

export function computeCoverage(errors: readonly ShownError[]): Coverage {
  const shown = errors.flatMap(({ error, sigma }) => (sigma === undefined ? [] : [{ error, sigma }]));
  const share = (times: number): number =>
    shown.filter(({ error, sigma }) => error <= times * sigma).length / shown.length;
  return { count: shown.length, within: share(1), withinTwice: share(2), shownShare: shown.length / errors.length };
}

export const formatCoverage = ({ count, within, withinTwice, shownShare }: Coverage): string =>
  `${(within * 100).toFixed(0)} % within ±, ${(withinTwice * 100).toFixed(1)} % within twice, of ${count} ` +
  `(${(shownShare * 100).toFixed(0)} % show one)`;
