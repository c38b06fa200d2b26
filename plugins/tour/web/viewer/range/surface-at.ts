import { dotProduct, Moments, times, type Point3 } from '#core';
import { computeRangeDirection, computeRangePitch, type RangeImage } from './range-image.ts';

/** The surface around a pixel. */
export interface Surface {
  /** Unit vector towards the station. */
  readonly normal: Point3;
  /** Standard deviation of the ranges from the plane, along its normal, metres. */
  readonly scatter: number;
}

/**
 * Half the width of the window to which a plane is fitted, metres. It is large compared with scanner noise and small
 * for a pipe.
 */
const windowRadiusMetres = 0.018;
/** Minimum fraction of the window's pixels that are on the surface. */
const minFraction = 0.6;

/**
 * Fits a plane to the pixels in a window of about 36 mm. Its normal is the eigenvector of the smallest eigenvalue of
 * their covariance. Undefined at an edge. The size of the window is in metres, because a fixed number of pixels may
 * cover only a few millimetres, where noise dominates.
 */
export function fitSurface(image: RangeImage, column: number, row: number): Surface | undefined {
  const range = image.at(column, row) / 1000;
  if (range === 0) return undefined;
  const pitch = computeRangePitch(image, range);
  const reach = Math.max(2, Math.min(7, Math.round(windowRadiusMetres / pitch)));
  const step = reach > 4 ? 2 : 1;
  // On a slanted surface, the range changes by more than the window's width.
  const tolerance = Math.max(0.012, 2.5 * reach * pitch);
  const [ex, ey, ez] = computeRangeDirection(image, column, row);
  const centre: Point3 = [ex * range, ey * range, ez * range];
  const moments = new Moments();
  for (let down = -reach; down <= reach; down += step) {
    for (let right = -reach; right <= reach; right += step) {
      const otherRange = image.at(column + right, row + down) / 1000;
      if (otherRange === 0 || Math.abs(otherRange - range) > tolerance) continue;
      const direction = computeRangeDirection(image, column + right, row + down);
      moments.add(
        direction[0] * otherRange - centre[0],
        direction[1] * otherRange - centre[1],
        direction[2] * otherRange - centre[2],
      );
    }
  }
  const windowPixels = (2 * Math.floor(reach / step) + 1) ** 2;
  if (moments.totalWeight < minFraction * windowPixels) return undefined;
  const { values, vectors } = moments.computeAxesAboutMean();
  const normal = dotProduct(vectors[0], [ex, ey, ez]) > 0 ? times(vectors[0], -1) : vectors[0];
  return { normal, scatter: Math.sqrt(Math.max(0, values[0]) / (moments.totalWeight - 3)) };
}
