import type { Point3 } from '#core';
import type { PanoramaPicture } from '#plugins/tour';
import { ease } from './view-motion.ts';

/** A running change from one picture to another. Times are in milliseconds. */
export interface Transition {
  readonly from: PanoramaPicture;
  readonly to: PanoramaPicture;
  /** Range meshes of both pictures, for a walk. */
  readonly walk: { readonly from: WebGLTexture; readonly to: WebGLTexture } | undefined;
  readonly start: number;
  readonly milliseconds: number;
  readonly onEnd: (shown: boolean) => void;
}

export const fadeMilliseconds = 250;
export const reducedMotionMilliseconds = 120;

/** Computes the duration of a walk. It increases with the distance up to a maximum. */
export function computeWalkMilliseconds(from: Point3, to: Point3): number {
  return Math.min(1_100, 450 + 70 * Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]));
}

/** Computes the travelled fraction of the distance, and the opacity of the next picture. */
export function computeProgress(
  transition: Pick<Transition, 'start' | 'milliseconds' | 'walk'>,
  now: number,
): { readonly travelled: number; readonly opacity: number; readonly isOver: boolean } {
  const fraction = Math.min(1, Math.max(0, (now - transition.start) / transition.milliseconds));
  const travelled = ease(fraction);
  const opacity = transition.walk ? ease(Math.min(1, Math.max(0, (travelled - 0.15) / 0.7))) : fraction;
  return { travelled, opacity, isOver: fraction >= 1 };
}

/** Computes the positions of the moving eye relative to each of the two cameras, metres. */
export function computeEyes(
  from: Point3,
  to: Point3,
  travelled: number,
): { readonly from: Point3; readonly to: Point3 } {
  const fromStart = (axis: 0 | 1 | 2): number => (to[axis] - from[axis]) * travelled;
  const fromEnd = (axis: 0 | 1 | 2): number => (to[axis] - from[axis]) * (travelled - 1);
  return { from: [fromStart(0), fromStart(1), fromStart(2)], to: [fromEnd(0), fromEnd(1), fromEnd(2)] };
}
