import { perpendicularAxes, distanceBetween, type Point3 } from '#core';
import type { CloudNode } from './cloud-node.ts';
import { isInside, tileReader, type ClippingBox } from './tile-reader.ts';

/** A line of sight and the two directions across it. Lengths are in metres. */
export interface Ray {
  readonly origin: Point3;
  /** Unit vector. */
  readonly direction: Point3;
  /** Radians that the pointer covers around it. */
  readonly aperture: number;
}

/** A point in the frame of a ray: depth along it and offset across it. */
export interface NearPoint {
  readonly point: Point3;
  readonly depth: number;
  readonly u: number;
  readonly v: number;
  readonly off: number;
}

/**
 * Metres: surfaces are found from points within this distance of the ray. Plant scans have a point every few
 * centimetres.
 */
const around = 0.12;
/** Maximum number of nearest points per depth slice, which suffices for any density. */
const slice = 0.05;
const maxInSlice = 60;
const nearest = 0.05;

/** Search radius around the ray at a depth. */
export const reachAt = ({ aperture }: Pick<Ray, 'aperture'>, depth: number): number =>
  Math.max(around, aperture * depth);

/** Returns the points around a ray, front to back. */
export function pointsNearRay(
  nodes: readonly CloudNode[],
  ray: Ray,
  clip: ClippingBox | undefined,
): readonly NearPoint[] {
  const { origin, direction } = ray;
  const [east, north, up] = direction;
  const [across, upward] = perpendicularAxes(direction);
  const slices = new Map<number, NearPoint[]>();
  for (const node of nodes) {
    const { tile } = node;
    if (!tile || !meets(node, ray)) continue;
    const { count, numbers, first, step } = tileReader(tile);
    const { origin: corner, scale } = tile;
    const [x, y, z] = [corner[0] - origin[0], corner[1] - origin[1], corner[2] - origin[2]];
    // This loop visits most points of a cloud on each click, so it allocates nothing for points elsewhere.
    for (let k = 0, at = first; k < count; k++, at += step) {
      const dx = x + scale * numbers[at]!;
      const dy = y + scale * numbers[at + 1]!;
      const dz = z + scale * numbers[at + 2]!;
      const depth = dx * east + dy * north + dz * up;
      if (depth < nearest) continue;
      const squaredOff = dx * dx + dy * dy + dz * dz - depth * depth;
      const reach = reachAt(ray, depth);
      if (squaredOff > reach * reach) continue;
      const point: Point3 = [dx + origin[0], dy + origin[1], dz + origin[2]];
      if (!isInside(clip, point)) continue;
      const found = {
        point,
        depth,
        off: Math.sqrt(Math.max(0, squaredOff)),
        u: dx * across[0] + dy * across[1] + dz * across[2],
        v: dx * upward[0] + dy * upward[1] + dz * upward[2],
      };
      const key = Math.floor(depth / slice);
      const existing = slices.get(key);
      if (existing) existing.push(found);
      else slices.set(key, [found]);
    }
  }
  return [...slices.values()]
    .flatMap((each) => (each.length > maxInSlice ? each.sort((a, b) => a.off - b.off).slice(0, maxInSlice) : each))
    .sort((a, b) => a.depth - b.depth);
}

/** Whether the ray meets the box, enlarged by the search radius at its far side. */
function meets({ box: { minimum, maximum } }: CloudNode, ray: Ray): boolean {
  const { origin, direction } = ray;
  const middle: Point3 = [(minimum[0] + maximum[0]) / 2, (minimum[1] + maximum[1]) / 2, (minimum[2] + maximum[2]) / 2];
  const slack = reachAt(ray, distanceBetween(origin, middle) + distanceBetween(minimum, maximum) / 2);
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
