import { length, subtract } from '../../cli/demo/plant/vector.ts';
import type { Repetition } from './measuring-page.ts';
import type { Target } from './plant-targets.ts';

/** The true error of a value, and the uncertainty that the product shows for the value, in metres or degrees. */
export interface ErrorWithUncertainty {
  readonly error: number;
  /** Undefined if none is shown. */
  readonly sigma: number | undefined;
}

/** A target and the product's measurement of it. */
export interface Outcome {
  readonly target: Target;
  /** The median of the repetitions, metres or degrees; undefined if the product refused. */
  readonly value: number | undefined;
  readonly refusal: string | undefined;
  readonly nps: string | undefined;
  /** Error of each point in metres: the median of the repetitions. */
  readonly pointErrors: readonly number[];
  /** Error in metres of the height between the ends of a distance. */
  readonly heightError: number | undefined;
  /** One per accepted repetition. */
  readonly valueErrors: readonly ErrorWithUncertainty[];
  /** One per point and accepted repetition. */
  readonly singlePointErrors: readonly ErrorWithUncertainty[];
}

/** Summarizes the repetitions of a measurement by their median. */
export function summarizeOutcome(target: Target, repetitions: readonly Repetition[]): Outcome {
  const measuredRepetitions = repetitions.flatMap((repetition) =>
    repetition.refusal === undefined ? [repetition] : [],
  );
  // The target counts as refused if at least half of the repetitions are refused.
  const accepted = measuredRepetitions.length * 2 > repetitions.length;
  const medianRepetition = accepted
    ? measuredRepetitions.toSorted((a, b) => a.value - b.value)[(measuredRepetitions.length - 1) >> 1]
    : undefined;
  const [first, second] = target.points;
  return {
    target,
    value: medianRepetition?.value,
    refusal: accepted ? undefined : repetitions.find(({ refusal }) => refusal !== undefined)?.refusal,
    nps: medianRepetition?.nps,
    pointErrors:
      target.kind === 'DIAMETER'
        ? []
        : target.points.map(({ point }, index) =>
            computeMedian(
              measuredRepetitions.map(({ points: clickedPoints }) =>
                length(subtract(clickedPoints[index] ?? [0, 0, 0], point)),
              ),
            ),
          ),
    heightError:
      target.kind === 'DISTANCE' && first && second
        ? Math.abs(
            computeMedian(measuredRepetitions.map(({ vertical = 0 }) => vertical)) - (second.point[2] - first.point[2]),
          )
        : undefined,
    valueErrors: measuredRepetitions.map(({ value, sigma }) => ({
      error: Math.abs(value - target.truth),
      sigma: sigma ?? undefined,
    })),
    singlePointErrors:
      target.kind === 'DIAMETER'
        ? []
        : measuredRepetitions.flatMap(({ points, sigmas }) =>
            points.map((point, index) => ({
              error: length(subtract(point, target.points[index]?.point ?? [0, 0, 0])),
              sigma: sigmas[index] ?? undefined,
            })),
          ),
  };
}

function computeMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1] ?? Number.NaN;
}
