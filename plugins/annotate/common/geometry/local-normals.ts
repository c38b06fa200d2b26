import { computeEigen, type Point3 } from '#core';

/** Half of the window that a normal is taken from is at least this, metres: narrower ones measure noise. */
const minWindow = 0.018;
const minNeighbours = 8;

/** A point's index in the list and the direction of the surface there; which of its two sides is out is not told. */
export interface LocalNormal {
  readonly index: number;
  readonly normal: Point3;
}

/**
 * Normals at up to `most` of the points (x y z one after the other), spread evenly over the list: the direction in
 * which the neighbours within a window spread least. Points without enough neighbours on a plane, such as loose ones,
 * get none.
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
    let [n, x, y, z, xx, xy, xz, yy, yz, zz] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    for (let i = -1; i <= 1; i += 1) {
      for (let j = -1; j <= 1; j += 1) {
        for (let l = -1; l <= 1; l += 1) {
          for (const other of cells.get(keyAt(toCell(at[0]) + i, toCell(at[1]) + j, toCell(at[2]) + l)) ?? []) {
            const dx = (points[other * 3] ?? 0) - at[0];
            const dy = (points[other * 3 + 1] ?? 0) - at[1];
            const dz = (points[other * 3 + 2] ?? 0) - at[2];
            if (dx * dx + dy * dy + dz * dz > window * window) continue;
            n += 1;
            x += dx;
            y += dy;
            z += dz;
            xx += dx * dx;
            xy += dx * dy;
            xz += dx * dz;
            yy += dy * dy;
            yz += dy * dz;
            zz += dz * dz;
          }
        }
      }
    }
    if (n < minNeighbours) continue;
    const { values, vectors } = computeEigen([
      xx - (x * x) / n,
      xy - (x * y) / n,
      xz - (x * z) / n,
      yy - (y * y) / n,
      yz - (y * z) / n,
      zz - (z * z) / n,
    ]);
    // A plane spreads two ways: where the second is as thin as the third it is an edge or a row of points.
    if (values[0] < values[1] * 0.35) found.push({ index, normal: vectors[0] });
  }
  return found;
}

/**
 * Metres between neighbours if the points lay evenly on the rectangle that they fill; good enough to choose a window
 * by.
 */
function estimateSpacing(points: Float64Array): number {
  const count = points.length / 3;
  const sums = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < count; i += 1) {
    const [x, y, z] = [points[i * 3] ?? 0, points[i * 3 + 1] ?? 0, points[i * 3 + 2] ?? 0];
    [x, y, z, x * x, x * y, x * z, y * y, y * z, z * z].forEach(
      (value, k) => (sums[k] = (sums[k] ?? 0) + value / count),
    );
  }
  const [x = 0, y = 0, z = 0, xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0] = sums;
  const { values } = computeEigen([xx - x * x, xy - x * y, xz - x * z, yy - y * y, yz - y * z, zz - z * z]);
  // An even spread over a width w has the variance w² / 12.
  return Math.sqrt((12 * Math.sqrt(Math.max(0, values[1]) * Math.max(0, values[2]))) / count);
}
