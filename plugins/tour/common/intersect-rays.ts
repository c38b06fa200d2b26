import {
  crossProduct,
  toDegrees,
  distanceBetween,
  dotProduct,
  minus,
  plus,
  times,
  vectorLength,
  type Point3,
} from '#core';

/** A line of sight from a camera. `direction` has length 1. */
export interface Ray {
  readonly origin: Point3;
  readonly direction: Point3;
}

/** `parallel`: the rays are too similar to determine the distance. `behind`: they are closest behind a camera. */
export type RayIntersectionProblem = 'parallel' | 'behind';

export interface RayIntersection {
  /** The middle between the closest points of both rays. */
  readonly point: Point3;
  /** Distance between the closest points, metres. */
  readonly gap: number;
  /** Angle between the rays, degrees. Greater angles, up to 90, are more accurate. */
  readonly angle: number;
}

/** Below this angle, an error of 0.1 degrees moves the point by more than 5 % of its distance. */
const minAngleDegrees = 2;

/**
 * Finds the point that two viewpoints look at, in the units of the origins.
 *
 * @see closest points of skew lines, Ericson: Real-Time Collision Detection (2005), section 5.1.8
 */
export function intersectRays(a: Ray, b: Ray): RayIntersection | { readonly problem: RayIntersectionProblem } {
  const normal = crossProduct(a.direction, b.direction);
  const sine = vectorLength(normal);
  const cosine = dotProduct(a.direction, b.direction);
  const angle = toDegrees(Math.atan2(sine, Math.abs(cosine)));
  if (angle < minAngleDegrees) return { problem: 'parallel' };
  const between = minus(b.origin, a.origin);
  const alongA = dotProduct(crossProduct(between, b.direction), normal) / sine ** 2;
  const alongB = dotProduct(crossProduct(between, a.direction), normal) / sine ** 2;
  if (alongA <= 0 || alongB <= 0) return { problem: 'behind' };
  const pointOnA = plus(a.origin, times(a.direction, alongA));
  const pointOnB = plus(b.origin, times(b.direction, alongB));
  return { point: times(plus(pointOnA, pointOnB), 0.5), gap: distanceBetween(pointOnA, pointOnB), angle };
}
