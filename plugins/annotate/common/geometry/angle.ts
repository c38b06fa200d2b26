import { crossProduct, toDegrees, distanceBetween, dotProduct, vectorLength, minus } from '#core';
import { propagate, type MeasuredPoint } from './propagation.ts';

export interface Angle {
  /** Degrees, in [0, 180]. */
  readonly value: number;
  /** One standard deviation in degrees, or undefined if unknown. */
  readonly sigma: number | undefined;
}

/**
 * The angle at `vertex` between two arms. Undefined if an arm has no length. The gradient at the end of an arm is 1 /
 * (length of the arm). The gradient at the vertex is (distance between the ends) / (product of the lengths).
 */
export function angleAt(vertex: MeasuredPoint, first: MeasuredPoint, second: MeasuredPoint): Angle | undefined {
  const a = minus(first.point, vertex.point);
  const b = minus(second.point, vertex.point);
  const [p, q] = [vectorLength(a), vectorLength(b)];
  if (p === 0 || q === 0) return undefined;
  const sigma = propagate([
    [1 / p, first.sigma],
    [1 / q, second.sigma],
    [distanceBetween(first.point, second.point) / (p * q), vertex.sigma],
  ]);
  // The arc cosine would lose half of the digits near 0 and 180 degrees.
  return {
    value: toDegrees(Math.atan2(vectorLength(crossProduct(a, b)), dotProduct(a, b))),
    sigma: sigma === undefined ? undefined : toDegrees(sigma),
  };
}
