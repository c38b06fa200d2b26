import type { TourNode } from '#plugins/tour';

/** A node with its position on a plan, in pixels. */
export interface PlacedNode {
  readonly node: TourNode;
  readonly x: number;
  readonly y: number;
}

/**
 * Nodes in the same grid cell. They get one button, because their own buttons would overlap. The position, in pixels,
 * is the mean of the nodes.
 */
export interface NodeGroup {
  readonly nodes: readonly TourNode[];
  readonly x: number;
  readonly y: number;
}

/** Finds the group that is nearest to a position on the plan, in pixels. */
export function findNearestGroup(groups: readonly NodeGroup[], x: number, y: number): NodeGroup | undefined {
  const distanceTo = (group: NodeGroup): number => Math.hypot(group.x - x, group.y - y);
  return groups.toSorted((a, b) => distanceTo(a) - distanceTo(b))[0];
}

/**
 * Groups nodes whose positions are in the same cell of a square grid. The current node is never grouped, so that it is
 * always visible.
 *
 * @param cellPx side length of a cell, about the size of a button
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
