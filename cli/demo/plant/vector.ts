import type { Point, Vector } from './types.ts';

export const add = (a: Point, b: Vector): Point => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a: Point, b: Point): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Vector, factor: number): Vector => [a[0] * factor, a[1] * factor, a[2] * factor];
export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const length = (a: Vector): number => Math.hypot(a[0], a[1], a[2]);
export const normalise = (a: Vector): Vector => scale(a, 1 / length(a));
/** Returns a + b * factor. If b is a direction, this is the point `factor` metres from a along b. */
export const addScaled = (a: Point, b: Vector, factor: number): Point => [
  a[0] + b[0] * factor,
  a[1] + b[1] * factor,
  a[2] + b[2] * factor,
];
/** Interpolates linearly from a (`t` is 0) to b (`t` is 1). */
export const mix = (a: Point, b: Point, t: number): Point => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
  a[2] + (b[2] - a[2]) * t,
];

/** Returns u and v of the right-handed frame (u, v, w) of unit vectors; v points up as far as possible. */
export function createFrame(w: Vector): { readonly u: Vector; readonly v: Vector } {
  const reference: Vector = Math.abs(w[2]) > 0.999 ? [0, 1, 0] : [0, 0, 1];
  const u = normalise(cross(reference, w));
  return { u, v: cross(w, u) };
}

/** The horizontal unit vector of a heading in degrees clockwise from north. */
export function toHeadingVector(degrees: number): Vector {
  const radians = (degrees * Math.PI) / 180;
  return [Math.sin(radians), Math.cos(radians), 0];
}

/** Direction and distance of b seen from a: pan in [0, 360) clockwise from north and tilt in degrees, and metres. */
export function computeBearing(a: Point, b: Point): { pan: number; tilt: number; distance: number } {
  const d = subtract(b, a);
  const distance = length(d);
  return {
    pan: ((Math.atan2(d[0], d[1]) * 180) / Math.PI + 360) % 360,
    tilt: distance === 0 ? 0 : (Math.asin(d[2] / distance) * 180) / Math.PI,
    distance,
  };
}

/** The unit vector of a pan and a tilt in degrees. */
export function toDirection(pan: number, tilt: number): Vector {
  const p = (pan * Math.PI) / 180;
  const t = (tilt * Math.PI) / 180;
  return [Math.sin(p) * Math.cos(t), Math.cos(p) * Math.cos(t), Math.sin(t)];
}

/** A deterministic random generator in [0, 1) (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
