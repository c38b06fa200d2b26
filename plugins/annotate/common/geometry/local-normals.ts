import { Moments, type Point3 } from '#core';

/** Smallest radius of the window around a point, in metres. A smaller window measures noise. */
const minWindowMetres = 0.018;
const minNeighbours = 8;

/** The index of a point and the normal of the surface there, with an arbitrary sign. */
export interface LocalNormal {
  readonly index: number;
  readonly normal: Point3;
}

/**
 * Computes normals at up to `maxCount` evenly sampled points (x y z interleaved). A normal is the direction in which
 * the neighbours within a window spread least. Points without enough coplanar neighbours, such as stray points, are
 * omitted.
 */
export function computeLocalNormals(points: Float64Array, maxCount: number): readonly LocalNormal[] {
  const count = points.length / 3;
  const window = Math.max(minWindowMetres, 2.5 * estimateSpacing(points));
  const cells = new Map<string, number[]>();
  const toCell = (value: number): number => Math.floor(value / window);
  const keyAt = (x: number, y: number, z: number): string => `${x},${y},${z}`;
  for (let i = 0; i < count; i += 1) {
    const key = keyAt(toCell(points[i * 3] ?? 0), toCell(points[i * 3 + 1] ?? 0), toCell(points[i * 3 + 2] ?? 0));
    const cell = cells.get(key);
    if (cell) cell.push(i);
    else cells.set(key, [i]);
  }
  const normals: LocalNormal[] = [];
  const step = Math.max(1, count / maxCount);
  for (let k = 0; k < count; k += step) {
    const index = Math.floor(k);
    const point: Point3 = [points[index * 3] ?? 0, points[index * 3 + 1] ?? 0, points[index * 3 + 2] ?? 0];
    const moments = new Moments();
    for (let i = -1; i <= 1; i += 1) {
      for (let j = -1; j <= 1; j += 1) {
        for (let l = -1; l <= 1; l += 1) {
          for (const neighbour of cells.get(keyAt(toCell(point[0]) + i, toCell(point[1]) + j, toCell(point[2]) + l)) ??
            []) {
            const dx = (points[neighbour * 3] ?? 0) - point[0];
            const dy = (points[neighbour * 3 + 1] ?? 0) - point[1];
            const dz = (points[neighbour * 3 + 2] ?? 0) - point[2];
            if (dx * dx + dy * dy + dz * dz > window * window) continue;
            moments.add(dx, dy, dz);
          }
        }
      }
    }
    if (moments.totalWeight < minNeighbours) continue;
    const { values, vectors } = moments.computeAxesAboutMean();
    // A plane spreads in two directions. If the second is as thin as the third, the points form an edge or a row.
    if (values[0] < values[1] * 0.35) normals.push({ index, normal: vectors[0] });
  }
  return normals;
}

/**
 * Estimates the metres between neighbours, as if the points were evenly spread over their bounding rectangle. This is
 * precise enough to choose a window size.
 */
function estimateSpacing(points: Float64Array): number {
  const count = points.length / 3;
  const [x0 = 0, y0 = 0, z0 = 0] = points;
  const moments = new Moments();
  for (let i = 0; i < points.length; i += 3)
    moments.add((points[i] ?? 0) - x0, (points[i + 1] ?? 0) - y0, (points[i + 2] ?? 0) - z0, 1 / count);
  const { values } = moments.computeAxesAboutMean();
  // An even spread over a width w has the variance w² / 12.
  return Math.sqrt((12 * Math.sqrt(Math.max(0, values[1]) * Math.max(0, values[2]))) / count);
}
