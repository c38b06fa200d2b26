import { dotProduct, Moments, times, type Point3 } from '#core';
import { rangeDirection, rangePitch, type RangeImage } from './range-image.ts';

/** The surface around a pixel. */
export interface Surface {
  /** Unit vector towards the station. */
  readonly normal: Point3;
  /** Standard deviation of the ranges from the plane, along its normal, metres. */
  readonly scatter: number;
}

/** Half the width of the window of a normal, metres: wide compared with scanner noise, narrow compared with a pipe. */
const windowRadius = 0.018;
/** Minimum share of the window that is on the surface. */
const minShare = 0.6;

/**
 * The plane through the pixels of a window of about 36 mm: its normal is the eigenvector of the smallest eigenvalue of
 * their covariance. Undefined at an edge. The window is in millimetres because a normal of two pixels is mostly noise.
 */
export function surfaceAt(image: RangeImage, column: number, row: number): Surface | undefined {
  const range = image.at(column, row) / 1000;
  if (range === 0) return undefined;
  const pitch = rangePitch(image, range);
  const reach = Math.max(2, Math.min(7, Math.round(windowRadius / pitch)));
  const step = reach > 4 ? 2 : 1;
  // On a slanted surface, the range changes by more than the window's width.
  const tolerance = Math.max(0.012, 2.5 * reach * pitch);
  const [ex, ey, ez] = rangeDirection(image, column, row);
  const centre: Point3 = [ex * range, ey * range, ez * range];
  const moments = new Moments();
  for (let down = -reach; down <= reach; down += step) {
    for (let right = -reach; right <= reach; right += step) {
      const other = image.at(column + right, row + down) / 1000;
      if (other === 0 || Math.abs(other - range) > tolerance) continue;
      const direction = rangeDirection(image, column + right, row + down);
      moments.add(direction[0] * other - centre[0], direction[1] * other - centre[1], direction[2] * other - centre[2]);
    }
  }
  const windowPixels = (2 * Math.floor(reach / step) + 1) ** 2;
  if (moments.totalWeight < minShare * windowPixels) return undefined;
  const { values, vectors } = moments.aboutMean();
  const normal = dotProduct(vectors[0], [ex, ey, ez]) > 0 ? times(vectors[0], -1) : vectors[0];
  return { normal, scatter: Math.sqrt(Math.max(0, values[0]) / (moments.totalWeight - 3)) };
}
