import type { Point3 } from '#core';
import type { TourNode } from '#plugins/tour';

/** Weight of the vertical distance: the deck above or below is rarely the person's deck. */
const verticalWeight = 3;
/** Metres by which another node must be nearer than the current one. Prevents alternation between two nodes. */
const hysteresis = 0.5;

/** The nearest node to the eye at `position`; the current one if none is nearer. */
export function nearestNode(
  nodes: readonly TourNode[],
  position: Point3,
  present: TourNode | undefined,
): TourNode | undefined {
  let best = present;
  let minMetres = present ? distance(present, position) - hysteresis : Number.POSITIVE_INFINITY;
  for (const node of nodes) {
    const metres = distance(node, position);
    if (node !== present && metres < minMetres) [best, minMetres] = [node, metres];
  }
  return best;
}

function distance(node: TourNode, [x, y, z]: Point3): number {
  return Math.hypot(node.position[0] - x, node.position[1] - y, (node.position[2] - z) * verticalWeight);
}
