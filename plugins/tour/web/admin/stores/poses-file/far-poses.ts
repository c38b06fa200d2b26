import type { Point3, SiteFrame } from '#core';
import { toSite } from '../../../../common/to-site.ts';

type FarFinder = (position: Point3) => number | undefined;

/** Poses far from everything of the site. */
export interface FarPoses {
  readonly count: number;
  /** The largest distance from the nearest deck or viewpoint, metres. */
  readonly maxMetres: number;
}

/** Counts positions that are far by `createFarFinder`. Undefined if there are none. */
export function findFarPoses(positions: readonly Point3[], findMetresAway: FarFinder): FarPoses | undefined {
  const distances = positions.flatMap((position) => findMetresAway(position) ?? []);
  return distances.length === 0
    ? undefined
    : { count: distances.length, maxMetres: distances.reduce((a, b) => Math.max(a, b)) };
}

/**
 * Finds out whether positions are probably in the CRS of the site: if most are far when read in the site frame, but not
 * when converted from the CRS. Then returns the poses that are far in the site frame, otherwise undefined.
 *
 * @param positions as read in the site frame, metres
 */
export function proposeCrs(
  positions: readonly Point3[],
  frame: SiteFrame,
  findMetresAway: FarFinder,
): FarPoses | undefined {
  const far = findFarPoses(positions, findMetresAway);
  if (!areMostFar(far, positions)) return undefined;
  const inCrs = positions.map((position) => toSite(position, frame));
  return areMostFar(findFarPoses(inCrs, findMetresAway), positions) ? undefined : far;
}

const areMostFar = (far: FarPoses | undefined, positions: readonly Point3[]): boolean =>
  far !== undefined && far.count * 2 > positions.length;
