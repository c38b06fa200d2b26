import type { Point3 } from '#core';

/**
 * How a station is linked to a node of the tour. `NEAREST`: to the nearest within `maxLinkMetres`. `CHOSEN`: to the one
 * that an admin chose, or to none.
 */
export const stationLinks = ['NEAREST', 'CHOSEN'] as const;
export type StationLink = (typeof stationLinks)[number];

/** By `weightedMetres`: a scan station further away from a node is not linked to it unless an admin chooses so. */
export const maxLinkMetres = 3;

/** Distance between two places on a deck. A metre up or down counts as three: what stands overhead is rarely nearby. */
export function weightedMetres(a: Point3, b: Point3): number {
  const [x, y, z] = [a[0] - b[0], a[1] - b[1], (a[2] - b[2]) * 3];
  return Math.sqrt(x * x + y * y + z * z);
}
