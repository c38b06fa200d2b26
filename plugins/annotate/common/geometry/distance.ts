import { vectorLength, minus, plus, times, unitVector, type Point3 } from '#core';
import { propagate, type MeasuredPoint } from './propagation.ts';

/** A length in metres and its standard deviation, which is undefined if unknown. */
export interface Length {
  readonly value: number;
  readonly sigma: number | undefined;
}

export interface Leg {
  readonly length: Length;
  readonly horizontal: Length;
  /** Positive is up. */
  readonly vertical: Length;
}

export interface Chain {
  readonly legs: readonly Leg[];
  /** Sum of all legs. */
  readonly total: Length;
  /** Straight line from the first point to the last. */
  readonly direct: Leg;
}

/** Measures the distances along a chain of points. Undefined for fewer than two points. */
export function measureChain(points: readonly MeasuredPoint[]): Chain | undefined {
  const firstPoint = points[0];
  const lastPoint = points.at(-1);
  if (!firstPoint || !lastPoint || points.length < 2) return undefined;
  const legs = points.slice(1).map((point, index) => measureLeg(points[index] ?? firstPoint, point));
  const directions = points
    .slice(1)
    .map((point, index) => unitVector(minus(point.point, (points[index] ?? firstPoint).point)));
  const zero: Point3 = [0, 0, 0];
  // On a straight chain, moving a corner shortens one leg as much as it lengthens the next, so its gradient is zero.
  const gradients = points.map((_, index) =>
    vectorLength(plus(directions[index - 1] ?? zero, times(directions[index] ?? zero, -1))),
  );
  return {
    legs,
    total: {
      value: legs.reduce((sum, leg) => sum + leg.length.value, 0),
      sigma: propagate(points.map((point, index) => [gradients[index] ?? 0, point.sigma])),
    },
    direct: measureLeg(firstPoint, lastPoint),
  };
}

/** Measures the distance between two points. */
export function measureLeg(from: MeasuredPoint, to: MeasuredPoint): Leg {
  const offset = minus(to.point, from.point);
  const sigma = propagate([
    [1, from.sigma],
    [1, to.sigma],
  ]);
  return {
    length: { value: vectorLength(offset), sigma },
    horizontal: { value: Math.hypot(offset[0], offset[1]), sigma },
    vertical: { value: offset[2], sigma },
  };
}
