import { distanceBetween, toPanTilt, type Point3 } from '#core';
import type { TourLink, TourNode } from '#plugins/tour';

/** Metres: a station within this distance of its node shows links in the node's directions. */
const same = 0.05;
/** Metres on the deck: below, a link goes straight up or down, and its foot point has no stable direction. */
const steep = 0.5;

/**
 * The direction in degrees of a link's pin for an eye at a station. It points to the foot of the target node, whose
 * direction from its own node the link stores.
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
