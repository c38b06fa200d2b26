import { crossProduct, degrees, distanceBetween, dotProduct, vectorLength, minus } from '#core';
import { propagate, type MeasuredPoint } from './propagation.ts';

export interface Angle {
  /** Degrees, in [0, 180]. */
  readonly value: number;
  /** Degrees; undefined if unknown. */
  readonly sigma: number | undefined;
}

/**
 * The angle at `vertex` between two arms. Undefined if an arm has no length. Moving an arm's end turns the angle by 1 /
 * length of the arm. For the vertex, both turns add up to (distance of the ends) / (product of the arms).
 */
export function angleAt(vertex: MeasuredPoint, one: MeasuredPoint, other: MeasuredPoint): Angle | undefined {
  const a = minus(one.point, vertex.point);
  const b = minus(other.point, vertex.point);
  const [p, q] = [vectorLength(a), vectorLength(b)];
  if (p === 0 || q === 0) return undefined;
  const sigma = propagate([
    [1 / p, one.sigma],
    [1 / q, other.sigma],
    [distanceBetween(one.point, other.point) / (p * q), vertex.sigma],
  ]);
  // Uses the arc tangent, because the arc cosine loses half of the digits near 0 and 180 degrees.
  return {
    value: degrees(Math.atan2(vectorLength(crossProduct(a, b)), dotProduct(a, b))),
    sigma: sigma === undefined ? undefined : degrees(sigma),
  };
}
