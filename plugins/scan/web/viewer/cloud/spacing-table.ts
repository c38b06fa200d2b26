import { findOctant, type CloudNode } from './cloud-node.ts';

/** The spacing of the drawn points in each octant of each node, as a texture of 8 columns and two channels. */
export interface SpacingTable {
  /**
   * A row for each node with drawn children, and a column for each octant. The first channel is the row of the child,
   * or 0 if none of its own children are drawn. The second one is the spacing of the child's points in metres, or 0 if
   * they are not drawn. Row 0 is unused.
   */
  readonly values: Float32Array;
  readonly rows: ReadonlyMap<CloudNode, number>;
}

export const octants = 8;
const channels = 2;

/** @param isShown whether a node was chosen for the frame; its points may still be loading */
export function createSpacingTable(root: CloudNode, isShown: (node: CloudNode) => boolean): SpacingTable {
  const rows = new Map<CloudNode, number>();
  const values: number[] = Array.from({ length: octants * channels }, () => 0);
  /** Returns the row of the node; 0 if it has none. */
  const visit = (node: CloudNode): number => {
    const children = node.children.flatMap((child) => {
      // A node without points of its own may have children with points.
      const row = isShown(child) || !child.source ? visit(child) : 0;
      const spacing = isShown(child) && child.tile ? child.spacing : 0;
      return row > 0 || spacing > 0 ? [{ child, row, spacing }] : [];
    });
    if (children.length === 0) return 0;
    const row = values.length / (octants * channels);
    values.push(...Array.from({ length: octants * channels }, () => 0));
    rows.set(node, row);
    for (const { child, row: childRow, spacing } of children) {
      const { minimum, edge } = child.cube;
      const half = edge / 2;
      const octant = findOctant(node.cube, [minimum[0] + half, minimum[1] + half, minimum[2] + half]);
      const at = (row * octants + octant) * channels;
      values[at] = childRow;
      values[at + 1] = spacing;
    }
    return row;
  };
  visit(root);
  return { values: Float32Array.from(values), rows };
}
