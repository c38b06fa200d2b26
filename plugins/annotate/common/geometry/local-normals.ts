import { Moments, type Point3 } from '#core';

/** Smallest half width of the window of a normal, in metres. A narrower window measures noise. */
const minWindow = 0.018;
const minNeighbours = 8;

/** The index of a point and the normal of the surface there, with an arbitrary sign. */
export interface LocalNormal {
  readonly index: number;
  readonly normal: Point3;
}

/**
 * Normals at up to `most` of the points (x y z interleaved), evenly sampled: the direction of least spread of the
 * neighbours within a window. Points without enough coplanar neighbours, such as stray ones, get none.
 */
export function localNormals(points: Float64Array, most: number): readonly LocalNormal[] {
  const count = points.length / 3;
  const window = Math.max(minWindow, 2.5 * estimateSpacing(points));
  const cells = new Map<string, number[]>();
  const toCell = (value: number): number => Math.floor(value / window);
  const keyAt = (x: number, y: number, z: number): string => `${x},${y},${z}`;
  for (let i = 0; i < count; i += 1) {
    const key = keyAt(toCell(points[i * 3] ?? 0), toCell(points[i * 3 + 1] ?? 0), toCell(points[i * 3 + 2] ?? 0));
    const cell = cells.get(key);
    if (cell) cell.push(i);
    else cells.set(key, [i]);
  }
  const found: LocalNormal[] = [];
  const step = Math.max(1, count / most);
  for (let k = 0; k < count; k += step) {
    const index = Math.floor(k);
    const at: Point3 = [points[index * 3] ?? 0, points[index * 3 + 1] ?? 0, points[index * 3 + 2] ?? 0];
    const moments = new Moments();
    for (let i = -1; i <= 1; i += 1) {
      for (let j = -1; j <= 1; j += 1) {
        for (let l = -1; l <= 1; l += 1) {
          for (const other of cells.get(keyAt(toCell(at[0]) + i, toCell(at[1]) + j, toCell(at[2]) + l)) ?? []) {
            const dx = (points[other * 3] ?? 0) - at[0];
            const dy = (points[other * 3 + 1] ?? 0) - at[1];
            const dz = (points[other * 3 + 2] ?? 0) - at[2];
            if (dx * dx + dy * dy + dz * dz > window * window) continue;
            moments.add(dx, dy, dz);
          }
        }
      }
    }
    if (moments.totalWeight < minNeighbours) continue;
    const { values, vectors } = moments.aboutMean();
    // A plane spreads in two directions. If the second is as thin as the third, the points form an edge or a row.
    if (values[0] < values[1] * 0.35) found.push({ index, normal: vectors[0] });
  }
  return found;
}

/**
 * Metres between neighbours if the points were evenly spread over their bounding rectangle. Precise enough to choose a
 * window size.
 */
function estimateSpacing(points: Float64Array): number {
  const count = points.length / 3;
  const [x0 = 0, y0 = 0, z0 = 0] = points;
  const moments = new Moments();
  for (let i = 0; i < points.length; i += 3)
    moments.add((points[i] ?? 0) - x0, (points[i + 1] ?? 0) - y0, (points[i + 2] ?? 0) - z0, 1 / count);
  const { values } = moments.aboutMean();
  // An even spread over a width w has the variance w² / 12.
  return Math.sqrt((12 * Math.sqrt(Math.max(0, values[1]) * Math.max(0, values[2]))) / count);
}
