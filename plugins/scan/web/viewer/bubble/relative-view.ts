import { distanceBetween, toPanTilt, type Point3 } from '#core';
import type { TourLink, TourNode } from '#plugins/tour';

/** Metres: a station so near to its node sees ways where the node sees them. */
const same = 0.05;
/**
 * Metres across a deck below which a way leads straight up or down, and its foot point has no direction to speak of.
 */
const steep = 0.5;

/**
 * Where a way's pin stands for an eye at a station, degrees: at the foot point of the node that it leads to, which the
 * link knows as it is seen from its own node.
 */
export function relativeView(
  eye: Point3,
  { position: from }: Pick<TourNode, 'position'>,
  { position: to }: Pick<TourNode, 'position'>,
  { pan, tilt }: Pick<TourLink, 'pan' | 'tilt'>,
): { readonly pan: number; readonly tilt: number } {
  const across = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (distanceBetween(eye, from) <= same || across < steep) return { pan, tilt };
  const foot = from[2] + across * Math.tan((tilt * Math.PI) / 180);
  return toPanTilt([to[0] - eye[0], to[1] - eye[1], foot - eye[2]]);
}
