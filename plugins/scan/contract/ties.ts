import type { Point3 } from '#core';

/**
 * `NEAREST`: a station belongs to the nearest node within `tieReach`. `CHOSEN`: to the one that an admin chose, or to
 * none.
 */
export const stationTies = ['NEAREST', 'CHOSEN'] as const;
export type StationTie = (typeof stationTies)[number];

/** Metres, a metre up or down counted as three, within which a scan station belongs to the nearest node of the tour. */
export const tieReach = 3;

/**
 * Metres between two places on a deck: what stands overhead is seldom where one is, so a metre up or down counts as
 * three.
 */
export function metresAlong(a: Point3, b: Point3): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], (a[2] - b[2]) * 3);
}
