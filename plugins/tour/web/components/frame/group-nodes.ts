import type { TourNode } from '#plugins/tour';

/** A node with its pixel on a plan. */
export interface PlacedNode {
  readonly node: TourNode;
  readonly x: number;
  readonly y: number;
}

/** Nodes whose buttons would overlap. The pixel is the position of a single node, or the middle of several nodes. */
export interface NodeGroup {
  readonly nodes: readonly TourNode[];
  readonly x: number;
  readonly y: number;
}

/** Finds the group that is nearest to a pixel of the plan. */
export function findNearestGroup(groups: readonly NodeGroup[], x: number, y: number): NodeGroup | undefined {
  const distanceTo = (group: NodeGroup): number => Math.hypot(group.x - x, group.y - y);
  return groups.toSorted((a, b) => distanceTo(a) - distanceTo(b))[0];
}

/**
 * Groups nodes whose pixels are in the same cell of a grid. The current node is never grouped, so that it is always
 * visible.
 *
 * @param cellPx edge of a cell, which is about the size of a button
 * @param origin a corner of the grid. It moves with the plan, so that panning does not change the groups.
 */
export function groupNodes(
  placedNodes: readonly PlacedNode[],
  cellPx: number,
  current: TourNode | undefined,
  origin: { readonly x: number; readonly y: number } = { x: 0, y: 0 },
): readonly NodeGroup[] {
  const cells = new Map<string, PlacedNode[]>();
  for (const placedNode of placedNodes) {
    const [column, row] = [
      Math.floor((placedNode.x - origin.x) / cellPx),
      Math.floor((placedNode.y - origin.y) / cellPx),
    ];
    const key = placedNode.node === current ? 'current' : `${column} ${row}`;
    const cell = cells.get(key);
    if (cell) cell.push(placedNode);
    else cells.set(key, [placedNode]);
  }
  return [...cells.values()].map((cell) => ({
    nodes: cell.map(({ node }) => node),
    x: cell.reduce((sum, { x }) => sum + x, 0) / cell.length,
    y: cell.reduce((sum, { y }) => sum + y, 0) / cell.length,
  }));
}
