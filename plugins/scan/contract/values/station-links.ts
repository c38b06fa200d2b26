import type { Point3 } from '#core';

/**
 * The ways to link a station to a node of the tour: `NEAREST` to the nearest node within `maxLinkMetres`, `CHOSEN` to
 * the node that an admin chose, or to no node.
 */
export const linkModes = ['NEAREST', 'CHOSEN'] as const;
export type LinkMode = (typeof linkModes)[number];

/** Maximum of `weightedMetres`. Beyond it, only an admin can link a station to a node. */
export const maxLinkMetres = 3;

/**
 * Distance between two positions. A vertical metre counts as three, because positions above each other are rarely
 * close on foot.
 */
export function weightedMetres(a: Point3, b: Point3): number {
  const [x, y, z] = [a[0] - b[0], a[1] - b[1], (a[2] - b[2]) * 3];
  return Math.sqrt(x * x + y * y + z * z);
}
