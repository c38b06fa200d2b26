import { toDirection, type Point3 } from '#core';
import { meetRays, type MeetingProblem, type Ray } from '../../../common/meet-rays.ts';

/** A direction in degrees in which a viewpoint sees a tag. */
export interface Bearing {
  readonly node: string;
  readonly origin: Point3;
  readonly pan: number;
  readonly tilt: number;
}

/** - `depth`: the surface in the picture. - `bearings`: where the lines of sight of two viewpoints meet. */
export type PlacingResult =
  | { readonly way: 'depth'; readonly point: Point3 }
  | { readonly way: 'bearings'; readonly point: Point3; readonly gap: number }
  | { readonly way: 'second' }
  | { readonly way: 'refused'; readonly problem: MeetingProblem };

const toRay = ({ origin, pan, tilt }: Bearing): Ray => ({ origin, direction: toDirection(pan, tilt) });

/**
 * Finds the place of a tag after a click. Without a surface there, a click from another viewpoint is needed.
 *
 * @param surface what the range image shows in the direction, if anything
 * @param earlier the last click without a surface
 */
export function findPlace(surface: Point3 | null, bearing: Bearing, earlier: Bearing | undefined): PlacingResult {
  if (surface) return { way: 'depth', point: surface };
  if (!earlier || earlier.node === bearing.node) return { way: 'second' };
  const meeting = meetRays(toRay(earlier), toRay(bearing));
  return 'problem' in meeting
    ? { way: 'refused', problem: meeting.problem }
    : { way: 'bearings', point: meeting.point, gap: meeting.gap };
}
