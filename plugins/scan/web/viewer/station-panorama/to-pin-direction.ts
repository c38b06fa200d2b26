import { distanceBetween, toPanTilt, type Point3 } from '#core';
import type { TourLink, TourNode } from '#plugins/tour';

/** A station within this distance of its node shows links in the node's directions. */
const maxSamePositionMetres = 0.05;
/** A link over a shorter horizontal distance goes straight up or down, and its foot point has no stable direction. */
const minHorizontalMetres = 0.5;

/**
 * Computes the direction of a link's pin in degrees, as seen from a station. The pin is at the foot of the target node,
 * and the link stores its direction as seen from the node.
 */
export function toPinDirection(
  eye: Point3,
  { position: nodePosition }: Pick<TourNode, 'position'>,
  { position: targetPosition }: Pick<TourNode, 'position'>,
  { pan, tilt }: Pick<TourLink, 'pan' | 'tilt'>,
): { readonly pan: number; readonly tilt: number } {
  const horizontalMetres = Math.hypot(targetPosition[0] - nodePosition[0], targetPosition[1] - nodePosition[1]);
  if (distanceBetween(eye, nodePosition) <= maxSamePositionMetres || horizontalMetres < minHorizontalMetres)
    return { pan, tilt };
  const footHeight = nodePosition[2] + horizontalMetres * Math.tan((tilt * Math.PI) / 180);
  return toPanTilt([targetPosition[0] - eye[0], targetPosition[1] - eye[1], footHeight - eye[2]]);
}
