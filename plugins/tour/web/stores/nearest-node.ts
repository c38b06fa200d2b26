import type { Point3 } from '#core';
import type { TourNode } from '#plugins/tour';

/** A metre up or down counts as this many along the deck: what stands overhead is seldom where one is. */
const climb = 3;
/**
 * Metres by which another node must be nearer than the present one: who stands between two does not change from one to
 * the other.
 */
const hold = 0.5;

/** The node to stand at for an eye at `position`; the present one where there is none nearer. */
export function nearestNode(
  nodes: readonly TourNode[],
  position: Point3,
  present: TourNode | undefined,
): TourNode | undefined {
  let best = present;
  let least = present ? distance(present, position) - hold : Number.POSITIVE_INFINITY;
  for (const node of nodes) {
    const metres = distance(node, position);
    if (node !== present && metres < least) [best, least] = [node, metres];
  }
  return best;
}

function distance(node: TourNode, [x, y, z]: Point3): number {
  return Math.hypot(node.position[0] - x, node.position[1] - y, (node.position[2] - z) * climb);
}
