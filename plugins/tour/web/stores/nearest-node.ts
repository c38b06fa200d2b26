import type { Point3 } from '#core';
import type { TourNode } from '#plugins/tour';

/** Weight of vertical distances, so that nodes of the same deck are preferred. */
const verticalWeight = 3;
/** Metres by which another node must be nearer than the current one. Prevents alternation between two nodes. */
const hysteresisMetres = 0.5;

/** Finds the nearest node to the eye at `position`. Returns the current node if no other is nearer. */
export function findNearestNode(
  nodes: readonly TourNode[],
  position: Point3,
  currentNode: TourNode | undefined,
): TourNode | undefined {
  let best = currentNode;
  let nearestMetres = currentNode
    ? computeDistance(currentNode, position) - hysteresisMetres
    : Number.POSITIVE_INFINITY;
  for (const node of nodes) {
    const metres = computeDistance(node, position);
    if (node !== currentNode && metres < nearestMetres) [best, nearestMetres] = [node, metres];
  }
  return best;
}

function computeDistance(node: TourNode, [x, y, z]: Point3): number {
  return Math.hypot(node.position[0] - x, node.position[1] - y, (node.position[2] - z) * verticalWeight);
}
