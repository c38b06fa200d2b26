import { perpendicularAxes, distanceBetween, type Point3 } from '#core';
import type { CloudNode } from './cloud-node.ts';
import { isInside, createTileReader, type ClippingBox } from './tile-reader.ts';

/** A line of sight. Lengths are in metres. */
export interface Ray {
  readonly origin: Point3;
  /** Unit vector. */
  readonly direction: Point3;
  /** Angle around the ray that the pointer covers, in radians. */
  readonly aperture: number;
}

/** A point in the frame of a ray. Its offset across the ray is `u`, `v`, and `rayDistance` is their length. */
export interface NearPoint {
  readonly point: Point3;
  readonly depth: number;
  readonly u: number;
  readonly v: number;
  readonly rayDistance: number;
}

/**
 * Surfaces are found from points within this distance of the ray. Plant scans have a point every few centimetres.
 */
const searchRadiusMetres = 0.12;
/** Length of a slice of the search volume along the ray. */
const sliceMetres = 0.05;
/** In each slice, only this many points nearest to the ray are used, so that dense scans take no longer. */
const maxPointsPerSlice = 60;
const minDepthMetres = 0.05;

/** Computes the search radius around the ray at a depth in metres. */
export const computeSearchRadius = ({ aperture }: Pick<Ray, 'aperture'>, depth: number): number =>
  Math.max(searchRadiusMetres, aperture * depth);

/** Finds the points around a ray, from front to back. */
export function findPointsNearRay(
  nodes: readonly CloudNode[],
  ray: Ray,
  clip: ClippingBox | undefined,
): readonly NearPoint[] {
  const { origin, direction } = ray;
  const [east, north, up] = direction;
  const [uAxis, vAxis] = perpendicularAxes(direction);
  const slices = new Map<number, NearPoint[]>();
  for (const node of nodes) {
    const { tile } = node;
    if (!tile || !isBoxNearRay(node, ray)) continue;
    const { count, coordinates, firstIndex, step } = createTileReader(tile);
    const { origin: corner, scale } = tile;
    const [x, y, z] = [corner[0] - origin[0], corner[1] - origin[1], corner[2] - origin[2]];
    // This loop visits most points of a cloud on each click, so it allocates nothing for points elsewhere.
    for (let k = 0, index = firstIndex; k < count; k++, index += step) {
      const dx = x + scale * coordinates[index]!;
      const dy = y + scale * coordinates[index + 1]!;
      const dz = z + scale * coordinates[index + 2]!;
      const depth = dx * east + dy * north + dz * up;
      if (depth < minDepthMetres) continue;
      const squaredRayDistance = dx * dx + dy * dy + dz * dz - depth * depth;
      const radius = computeSearchRadius(ray, depth);
      if (squaredRayDistance > radius * radius) continue;
      const point: Point3 = [dx + origin[0], dy + origin[1], dz + origin[2]];
      if (!isInside(clip, point)) continue;
      const nearPoint = {
        point,
        depth,
        rayDistance: Math.sqrt(Math.max(0, squaredRayDistance)),
        u: dx * uAxis[0] + dy * uAxis[1] + dz * uAxis[2],
        v: dx * vAxis[0] + dy * vAxis[1] + dz * vAxis[2],
      };
      const key = Math.floor(depth / sliceMetres);
      const slicePoints = slices.get(key);
      if (slicePoints) slicePoints.push(nearPoint);
      else slices.set(key, [nearPoint]);
    }
  }
  return [...slices.values()]
    .flatMap((slicePoints) =>
      slicePoints.length > maxPointsPerSlice
        ? slicePoints.sort((a, b) => a.rayDistance - b.rayDistance).slice(0, maxPointsPerSlice)
        : slicePoints,
    )
    .sort((a, b) => a.depth - b.depth);
}

/** Whether the ray hits the box of a node, enlarged by the search radius at its far side. */
export function isBoxNearRay({ box: { minimum, maximum } }: Pick<CloudNode, 'box'>, ray: Ray): boolean {
  const { origin, direction } = ray;
  const middle: Point3 = [(minimum[0] + maximum[0]) / 2, (minimum[1] + maximum[1]) / 2, (minimum[2] + maximum[2]) / 2];
  const slack = computeSearchRadius(ray, distanceBetween(origin, middle) + distanceBetween(minimum, maximum) / 2);
  let [from, to] = [0, Infinity];
  for (const axis of [0, 1, 2] as const) {
    const a = (minimum[axis] - slack - origin[axis]) / direction[axis];
    const b = (maximum[axis] + slack - origin[axis]) / direction[axis];
    if (Number.isNaN(a) || Number.isNaN(b)) continue;
    from = Math.max(from, Math.min(a, b));
    to = Math.min(to, Math.max(a, b));
  }
  return from <= to;
}
