import { distanceBetween, type Point3 } from '#core';
import type { StoredPoint } from '#plugins/annotate';

/** Metres from the eye to the first of the points; 0 where nobody knows the eye. */
export function distanceFrom(eye: Point3 | undefined, points: readonly StoredPoint[]): number {
  const point = points[0]?.point;
  return eye && point ? distanceBetween(eye, point) : 0;
}
