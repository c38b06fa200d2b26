import { distanceBetween, dotProduct, type Point3 } from '#core';
import { computePixelSpacing, computeRangePoint, type RangeImage } from './range-image.ts';
import { fitSurface, type Surface } from './fit-surface.ts';

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

/** Offsets to the pixels up to three columns and rows away, nearest first. */
const neighbourOffsets: readonly (readonly [number, number])[] = [-3, -2, -1, 0, 1, 2, 3]
  .flatMap((down) => [-3, -2, -1, 0, 1, 2, 3].map((right): readonly [number, number] => [right, down]))
  .toSorted((a, b) => Math.hypot(...a) - Math.hypot(...b));

/** Computes the maximum difference (1 % plus 4 mm) between the ranges of neighbours on one surface. */
const computeMaxJump = (range: number): number => range * 0.01 + 0.004;
/**
 * Minimum cosine of the angle between normals of neighbouring pixels (26 degrees). Noise tilts normals less, an edge
 * more.
 */
const minNormalCosine = 0.9;
/** The number of points that is enough for a fit. */
const targetPoints = 800;

/**
 * Finds the connected surface around a pixel by region growing: neighbours are added unless the range or the normal
 * jumps. The result has three numbers (x, y, z) per point, in the site frame, metres. A seed at an edge is moved by up
 * to three pixels. Empty if no surface is found.
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
    if (!surfaces.has(key)) surfaces.set(key, fitSurface(image, column, row));
    return surfaces.get(key);
  };
  const seed = neighbourOffsets
    .map(([right, down]) => ({ column: (seedColumn + right + width) % width, row: seedRow + down }))
    .find(({ column, row }) => findSurface(column, row));
  const centre = seed && computeRangePoint(image, seed.column, seed.row);
  if (!centre) return new Float64Array(0);
  // A thin pipe needs a smaller stride for enough points. A vessel seen at a right angle needs a larger stride, because
  // it has too many points before its edge is reached.
  let stride = computeStride(image, seed, radius);
  let points = growSurface(image, seed, centre, { radius, maxPoints }, stride, findSurface);
  while (points.length < targetPoints && stride > 1) {
    stride = Math.floor(stride / 2);
    points = growSurface(image, seed, centre, { radius, maxPoints }, stride, findSurface);
  }
  while (points.length >= maxPoints) {
    stride = Math.ceil(stride * 1.5);
    points = growSurface(image, seed, centre, { radius, maxPoints }, stride, findSurface);
  }
  return Float64Array.from(points.flat());
}

/**
 * Computes the number of pixels between two points. At full resolution, a patch near the station has tens of thousands
 * of points, and a fit needs only a few hundred.
 */
function computeStride(image: RangeImage, { column, row }: Pixel, radius: number): number {
  const spacing = Math.max(0.006, radius / 40);
  return Math.max(1, Math.floor(spacing / computePixelSpacing(image, image.at(column, row) / 1000)));
}

type FindSurface = (column: number, row: number) => Surface | undefined;

/** Grows the surface in steps of `stride` pixels. */
function growSurface(
  image: RangeImage,
  seed: Pixel,
  centre: Point3,
  { radius, maxPoints }: Required<PatchLimits>,
  stride: number,
  findSurface: FindSurface,
): readonly Point3[] {
  const { width, height } = image;
  const points: Point3[] = [centre];
  const queue = [seed.row * width + seed.column];
  const visited = new Set(queue);
  for (let queueIndex = 0; queueIndex < queue.length && points.length < maxPoints; queueIndex += 1) {
    const key = queue[queueIndex] ?? 0;
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
      const neighbourColumn = (column + right + width) % width;
      const neighbourRow = row + down;
      const neighbourKey = neighbourRow * width + neighbourColumn;
      if (neighbourRow < 0 || neighbourRow >= height || visited.has(neighbourKey)) continue;
      visited.add(neighbourKey);
      const neighbourRange = image.at(neighbourColumn, neighbourRow) / 1000;
      if (neighbourRange === 0 || Math.abs(neighbourRange - range) > computeMaxJump(range)) continue;
      const neighbourSurface = findSurface(neighbourColumn, neighbourRow);
      if (!surface || !neighbourSurface || dotProduct(surface.normal, neighbourSurface.normal) < minNormalCosine)
        continue;
      const point = computeRangePoint(image, neighbourColumn, neighbourRow);
      if (!point || distanceBetween(point, centre) > radius) continue;
      queue.push(neighbourKey);
      points.push(point);
      if (points.length >= maxPoints) break;
    }
  }
  return points;
}
