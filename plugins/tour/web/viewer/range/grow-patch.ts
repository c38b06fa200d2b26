import { distanceBetween, dotProduct, type Point3 } from '#core';
import { rangePitch, rangePoint, type RangeImage } from './range-image.ts';
import { surfaceAt, type Surface } from './surface-at.ts';

export interface PatchLimits {
  /** Radius around the seed, metres. */
  readonly radius: number;
  /** Maximum number of points. Larger surfaces are sampled more coarsely. */
  readonly maxPoints?: number;
}

export interface Pixel {
  readonly column: number;
  readonly row: number;
}

/** Offsets to the pixels within three of a pixel, nearest first. */
const rings: readonly (readonly [number, number])[] = [-3, -2, -1, 0, 1, 2, 3]
  .flatMap((down) => [-3, -2, -1, 0, 1, 2, 3].map((right): readonly [number, number] => [right, down]))
  .toSorted((a, b) => Math.hypot(...a) - Math.hypot(...b));

/** Maximum difference between the ranges of neighbours on one surface: 1 % plus 4 mm. */
const largestJump = (range: number): number => range * 0.01 + 0.004;
/**
 * Cosine of the maximum angle between normals of neighbouring pixels (26 degrees): noise tilts them less, an edge more.
 */
const minTurn = 0.9;
/** Number of points that is enough for a fit. */
const targetPoints = 800;

/**
 * The connected surface around a pixel: grows to neighbours without a jump in range or normal. Points are x y z each,
 * site frame, metres. A seed at an edge is moved by up to three pixels. Empty if that does not help, or if nothing
 * returned.
 */
export function growPatch(
  image: RangeImage,
  { column: seedColumn, row: seedRow }: Pixel,
  { radius, maxPoints = 4000 }: PatchLimits,
): Float64Array {
  const { width } = image;
  const surfaces = new Map<number, Surface | undefined>();
  const findSurface = (column: number, row: number): Surface | undefined => {
    const key = row * width + column;
    if (!surfaces.has(key)) surfaces.set(key, surfaceAt(image, column, row));
    return surfaces.get(key);
  };
  const seed = rings
    .map(([right, down]) => ({ column: (seedColumn + right + width) % width, row: seedRow + down }))
    .find(({ column, row }) => findSurface(column, row));
  const centre = seed && rangePoint(image, seed.column, seed.row);
  if (!centre) return new Float64Array(0);
  // A thin pipe has too few points at a stride that suits a large vessel. A vessel seen at a right angle has more than
  // the maximum before its edge is reached.
  let stride = computeStride(image, seed, radius);
  let points = grow(image, seed, centre, { radius, maxPoints }, stride, findSurface);
  while (points.length < targetPoints && stride > 1) {
    stride = Math.floor(stride / 2);
    points = grow(image, seed, centre, { radius, maxPoints }, stride, findSurface);
  }
  while (points.length >= maxPoints) {
    stride = Math.ceil(stride * 1.5);
    points = grow(image, seed, centre, { radius, maxPoints }, stride, findSurface);
  }
  return Float64Array.from(points.flat());
}

/**
 * Pixels between two points. At full resolution, a patch near the station has tens of thousands of points, which no fit
 * needs.
 */
function computeStride(image: RangeImage, { column, row }: Pixel, radius: number): number {
  const spacing = Math.max(0.006, radius / 40);
  return Math.max(1, Math.floor(spacing / rangePitch(image, image.at(column, row) / 1000)));
}

type SurfaceAt = (column: number, row: number) => Surface | undefined;

/** Grows in steps of `stride` pixels. */
function grow(
  image: RangeImage,
  seed: Pixel,
  centre: Point3,
  { radius, maxPoints }: Required<PatchLimits>,
  stride: number,
  findSurface: SurfaceAt,
): readonly Point3[] {
  const { width, height } = image;
  const points: Point3[] = [centre];
  const queue = [seed.row * width + seed.column];
  const seen = new Set(queue);
  for (let next = 0; next < queue.length && points.length < maxPoints; next += 1) {
    const key = queue[next] ?? 0;
    const column = key % width;
    const row = (key - column) / width;
    const surface = findSurface(column, row);
    const range = image.at(column, row) / 1000;
    for (const [right, down] of [
      [stride, 0],
      [-stride, 0],
      [0, stride],
      [0, -stride],
    ] as const) {
      const otherColumn = (column + right + width) % width;
      const otherRow = row + down;
      const otherKey = otherRow * width + otherColumn;
      if (otherRow < 0 || otherRow >= height || seen.has(otherKey)) continue;
      seen.add(otherKey);
      const otherRange = image.at(otherColumn, otherRow) / 1000;
      if (otherRange === 0 || Math.abs(otherRange - range) > largestJump(range)) continue;
      const other = findSurface(otherColumn, otherRow);
      if (!surface || !other || dotProduct(surface.normal, other.normal) < minTurn) continue;
      const point = rangePoint(image, otherColumn, otherRow);
      if (!point || distanceBetween(point, centre) > radius) continue;
      queue.push(otherKey);
      points.push(point);
      if (points.length >= maxPoints) break;
    }
  }
  return points;
}
