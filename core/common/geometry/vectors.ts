import type { Point3 } from './view-state.ts';

/** Arithmetic on points and vectors of the site frame. */
export const plus = (a: Point3, b: Point3): Point3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const minus = (a: Point3, b: Point3): Point3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (a: Point3, factor: number): Point3 => [a[0] * factor, a[1] * factor, a[2] * factor];
export const dotProduct = (a: Point3, b: Point3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const crossProduct = (a: Point3, b: Point3): Point3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const vectorLength = (a: Point3): number => Math.hypot(a[0], a[1], a[2]);
export const distanceBetween = (a: Point3, b: Point3): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** The vector with length 1; the zero vector is unchanged. */
export function unitVector(a: Point3): Point3 {
  const length = vectorLength(a);
  return length === 0 ? a : times(a, 1 / length);
}

/** Two unit vectors that form a right-handed frame with the unit vector `axis` as the third. */
export function perpendicularAxes(axis: Point3): readonly [Point3, Point3] {
  const helper: Point3 = Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const first = unitVector(crossProduct(helper, axis));
  return [first, crossProduct(axis, first)];
}
