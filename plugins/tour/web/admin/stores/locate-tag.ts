import { toDirection, type Point3 } from '#core';
import { intersectRays, type RayIntersectionProblem, type Ray } from '../../../common/intersect-rays.ts';

/** A direction in degrees in which a viewpoint sees a tag. */
export interface Bearing {
  readonly node: string;
  readonly origin: Point3;
  readonly pan: number;
  readonly tilt: number;
}

/**
 * `depth`: on the surface in the picture. `bearings`: at the intersection of two lines of sight. `second`: a click from
 * another viewpoint is needed. `refused`: the lines of sight determine no point.
 */
export type LocateTagResult =
  | { readonly kind: 'depth'; readonly point: Point3 }
  | { readonly kind: 'bearings'; readonly point: Point3; readonly gap: number }
  | { readonly kind: 'second' }
  | { readonly kind: 'refused'; readonly problem: RayIntersectionProblem };

const toRay = ({ origin, pan, tilt }: Bearing): Ray => ({ origin, direction: toDirection(pan, tilt) });

/**
 * Computes the position of a tag after a click. Without a surface, a click from another viewpoint is needed.
 *
 * @param surface point of the range image in the clicked direction, or null
 * @param earlierBearing the previous click without a surface
 */
export function locateTag(
  surface: Point3 | null,
  bearing: Bearing,
  earlierBearing: Bearing | undefined,
): LocateTagResult {
  if (surface) return { kind: 'depth', point: surface };
  if (!earlierBearing || earlierBearing.node === bearing.node) return { kind: 'second' };
  const intersection = intersectRays(toRay(earlierBearing), toRay(bearing));
  return 'problem' in intersection
    ? { kind: 'refused', problem: intersection.problem }
    : { kind: 'bearings', point: intersection.point, gap: intersection.gap };
}
