import { vectorLength, minus, plus, times, unitVector, type Point3 } from '#core';
import { propagate, type MeasuredPoint } from './propagation.ts';

/** A value in metres and its standard deviation, undefined if unknown. */
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

/** Distances along two or more points. Undefined for fewer. */
export function measureChain(points: readonly MeasuredPoint[]): Chain | undefined {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last || points.length < 2) return undefined;
  const legs = points.slice(1).map((point, index) => measureLeg(points[index] ?? first, point));
  const units = points.slice(1).map((point, index) => unitVector(minus(point.point, (points[index] ?? first).point)));
  const nothing: Point3 = [0, 0, 0];
  // Moving a corner shortens one leg by what it lengthens the other. On a straight chain the sum stays the same.
  const gradients = points.map((_, index) =>
    vectorLength(plus(units[index - 1] ?? nothing, times(units[index] ?? nothing, -1))),
  );
  return {
    legs,
    total: {
      value: legs.reduce((sum, leg) => sum + leg.length.value, 0),
      sigma: propagate(points.map((point, index) => [gradients[index] ?? 0, point.sigma])),
    },
    direct: measureLeg(first, last),
  };
}

/** Between two points. */
export function measureLeg(from: MeasuredPoint, to: MeasuredPoint): Leg {
  const way = minus(to.point, from.point);
  const sigma = propagate([
    [1, from.sigma],
    [1, to.sigma],
  ]);
  return {
    length: { value: vectorLength(way), sigma },
    horizontal: { value: Math.hypot(way[0], way[1]), sigma },
    vertical: { value: way[2], sigma },
  };
}
