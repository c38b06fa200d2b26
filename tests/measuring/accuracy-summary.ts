import type { Outcome, ErrorWithUncertainty } from './outcome.ts';
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

/** The maximum error of a distance in metres. It is proportional to long distances. */
const computeMaxError = (truth: number, surface: TargetSurface): number =>
  surface === 'model' ? 0.001 : Math.max(0.008, truth * 0.0015);

export function summarize(outcomes: readonly Outcome[], kind: TargetKind): KindSummary {
  const outcomesOfKind = outcomes.filter(({ target }) => target.kind === kind);
  const acceptedOutcomes = outcomesOfKind.flatMap(({ target, value, nps }) =>
    value === undefined ? [] : [{ target, nps, error: Math.abs(value - target.truth) * (kind === 'ANGLE' ? 1 : 1000) }],
  );
  const barePipes = acceptedOutcomes.filter(({ target }) => target.nps !== undefined);
  return {
    targets: outcomesOfKind.length,
    accepted: acceptedOutcomes.length / outcomesOfKind.length,
    errors: summarizeErrors(acceptedOutcomes.map(({ error }) => error)),
    rightSize: barePipes.filter(({ target, nps }) => nps === target.nps).length / barePipes.length,
  };
}

/** Summarizes the errors of distances divided by their maximum error. */
export function summarizeDistanceFractions(outcomes: readonly Outcome[]): Errors {
  return summarizeErrors(
    outcomes.flatMap(({ target, value }) =>
      target.kind === 'DISTANCE'
        ? [Math.abs((value ?? Infinity) - target.truth) / computeMaxError(target.truth, target.surface)]
        : [],
    ),
  );
}

/** Summarizes the errors of single points in millimetres. */
export const summarizePointErrors = (outcomes: readonly Outcome[]): Errors =>
  summarizeErrors(outcomes.flatMap((outcome) => outcome.pointErrors.map((metres) => metres * 1000)));
export const summarizeHeightErrors = (outcomes: readonly Outcome[]): Errors =>
  summarizeErrors(outcomes.flatMap(({ heightError }) => (heightError === undefined ? [] : [heightError * 1000])));

/** Computes percentiles by nearest rank. */
function summarizeErrors(values: readonly number[]): Errors {
  const sorted = values.toSorted((a, b) => a - b);
  const getPercentile = (fraction: number): number =>
    sorted[Math.max(0, Math.ceil(fraction * sorted.length) - 1)] ?? Number.NaN;
  return {
    count: sorted.length,
    median: getPercentile(0.5),
    p90: getPercentile(0.9),
    p99: getPercentile(0.99),
    worst: getPercentile(1),
  };
}

export const formatErrors = ({ median, p90, p99, worst }: Errors, unit: string): string =>
  `median ${median.toFixed(2)}, 90th ${p90.toFixed(2)}, 99th ${p99.toFixed(2)}, worst ${worst.toFixed(2)} ${unit}`;

/** Shares of errors within one and two shown uncertainties, among the results that show one. */
export interface Coverage {
  readonly count: number;
  readonly within: number;
  readonly withinTwice: number;
  /** Share of results that show an uncertainty. */
  readonly shownFraction: number;
}

export function computeCoverage(errors: readonly ErrorWithUncertainty[]): Coverage {
  const shownErrors = errors.flatMap(({ error, sigma }) => (sigma === undefined ? [] : [{ error, sigma }]));
  const computeFraction = (times: number): number =>
    shownErrors.filter(({ error, sigma }) => error <= times * sigma).length / shownErrors.length;
  return {
    count: shownErrors.length,
    within: computeFraction(1),
    withinTwice: computeFraction(2),
    shownFraction: shownErrors.length / errors.length,
  };
}

export const formatCoverage = ({ count, within, withinTwice, shownFraction }: Coverage): string =>
  `${(within * 100).toFixed(0)} % within ±, ${(withinTwice * 100).toFixed(1)} % within twice, of ${count} ` +
  `(${(shownFraction * 100).toFixed(0)} % show one)`;
