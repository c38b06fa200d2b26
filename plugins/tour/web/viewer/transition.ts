import type { Point3 } from '#core';
import type { PanoramaPicture } from '#plugins/tour';
import { ease } from './view-motion.ts';

/** A running change from one picture to the next. Times in milliseconds. */
export interface Transition {
  readonly from: PanoramaPicture;
  readonly to: PanoramaPicture;
  /** Range meshes of both pictures, for a walk. */
  readonly walk: { readonly from: WebGLTexture; readonly to: WebGLTexture } | undefined;
  readonly start: number;
  readonly milliseconds: number;
  readonly done: (shown: boolean) => void;
}

export const fadeMilliseconds = 250;
export const reducedMilliseconds = 120;

/** Increases with the distance, within bounds. */
export function walkMilliseconds(from: Point3, to: Point3): number {
  return Math.min(1_100, 450 + 70 * Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]));
}

/** The share of the way, and the opacity of the next picture. */
export function computeProgress(
  transition: Pick<Transition, 'start' | 'milliseconds' | 'walk'>,
  now: number,
): { readonly way: number; readonly opacity: number; readonly over: boolean } {
  const share = Math.min(1, Math.max(0, (now - transition.start) / transition.milliseconds));
  const way = ease(share);
  const opacity = transition.walk ? ease(Math.min(1, Math.max(0, (way - 0.15) / 0.7))) : share;
  return { way, opacity, over: share >= 1 };
}

/** Positions of the moving eye relative to each of the two cameras, metres. */
export function eyesAt(from: Point3, to: Point3, way: number): { readonly from: Point3; readonly to: Point3 } {
  const leg = (axis: 0 | 1 | 2): number => (to[axis] - from[axis]) * way;
  const rest = (axis: 0 | 1 | 2): number => (to[axis] - from[axis]) * (way - 1);
  return { from: [leg(0), leg(1), leg(2)], to: [rest(0), rest(1), rest(2)] };
}
