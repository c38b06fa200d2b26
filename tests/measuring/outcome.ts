import { length, subtract } from '../../cli/demo/plant/vector.ts';
import type { Repetition } from './measuring-page.ts';
import type { Target } from './plant-targets.ts';

/** The error of a value and its shown uncertainty, in metres or degrees. */
export interface ShownError {
  readonly error: number;
  /** Undefined if none is shown. */
  readonly sigma: number | undefined;
}

/** A target and what the product measured. */
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
  /** The value and the points of each single repetition. */
  readonly shown: readonly ShownError[];
  readonly shownPoints: readonly ShownError[];
}

/** The median of successive measurements. */
export function summarizeOutcome(target: Target, repetitions: readonly Repetition[]): Outcome {
  const good = repetitions.flatMap((each) => (each.refusal === undefined ? [each] : []));
  // If most repetitions are refused, the target counts as refused.
  const accepted = good.length * 2 > repetitions.length;
  const middle = accepted ? good.toSorted((a, b) => a.value - b.value)[(good.length - 1) >> 1] : undefined;
  const [first, second] = target.points;
  return {
    target,
    value: middle?.value,
    refusal: accepted ? undefined : repetitions.find(({ refusal }) => refusal !== undefined)?.refusal,
    nps: middle?.nps,
    pointErrors:
      target.kind === 'DIAMETER'
        ? []
        : target.points.map(({ point }, index) =>
            computeMedian(good.map(({ points: clicked }) => length(subtract(clicked[index] ?? [0, 0, 0], point)))),
          ),
    heightError:
      target.kind === 'DISTANCE' && first && second
        ? Math.abs(computeMedian(good.map(({ vertical = 0 }) => vertical)) - (second.point[2] - first.point[2]))
        : undefined,
    shown: good.map(({ value, sigma }) => ({ error: Math.abs(value - target.truth), sigma: sigma ?? undefined })),
    shownPoints:
      target.kind === 'DIAMETER'
        ? []
        : good.flatMap(({ points, sigmas }) =>
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
