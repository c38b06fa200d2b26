import { dotProduct, Moments, times, type Point3 } from '#core';
import { computeRangeDirection, computePixelSpacing, type RangeImage } from './range-image.ts';

/** The plane that fits the surface around a pixel. */
export interface Surface {
  /** Unit vector towards the station. */
  readonly normal: Point3;
  /** Standard deviation of the distances of the measured points from the plane, metres. */
  readonly standardDeviation: number;
}

/**
 * Half the width of the window to which a plane is fitted, metres. It is large compared with scanner noise and small
 * compared with the radius of a pipe.
 */
const windowRadiusMetres = 0.018;
/** Minimum fraction of the window's pixels that are on the surface. */
const minFraction = 0.6;

/**
 * Fits a plane to the points in a square window of about 36 mm, but at least 5 and at most 15 pixels wide. Its normal
 * is the direction in which the points vary least. Undefined if the pixel has no return or is near a depth
 * discontinuity. The window's size is in metres, because a fixed number of pixels may cover only a few millimetres,
 * where noise dominates.
 */
export function fitSurface(image: RangeImage, column: number, row: number): Surface | undefined {
  const range = image.at(column, row) / 1000;
  if (range === 0) return undefined;
  const pixelSpacing = computePixelSpacing(image, range);
  const windowRadiusPx = Math.max(2, Math.min(7, Math.round(windowRadiusMetres / pixelSpacing)));
  const step = windowRadiusPx > 4 ? 2 : 1;
  // On a slanted surface, ranges differ by more than the window's width.
  const tolerance = Math.max(0.012, 2.5 * windowRadiusPx * pixelSpacing);
  const [ex, ey, ez] = computeRangeDirection(image, column, row);
  const centre: Point3 = [ex * range, ey * range, ez * range];
  const moments = new Moments();
  for (let rowOffset = -windowRadiusPx; rowOffset <= windowRadiusPx; rowOffset += step) {
    for (let columnOffset = -windowRadiusPx; columnOffset <= windowRadiusPx; columnOffset += step) {
      const otherRange = image.at(column + columnOffset, row + rowOffset) / 1000;
      if (otherRange === 0 || Math.abs(otherRange - range) > tolerance) continue;
      const direction = computeRangeDirection(image, column + columnOffset, row + rowOffset);
      moments.add(
        direction[0] * otherRange - centre[0],
        direction[1] * otherRange - centre[1],
        direction[2] * otherRange - centre[2],
      );
    }
  }
  const windowPixels = (2 * Math.floor(windowRadiusPx / step) + 1) ** 2;
  if (moments.totalWeight < minFraction * windowPixels) return undefined;
  const { values, vectors } = moments.computeAxesAboutMean();
  // The smallest eigenvalue is the sum of the squared distances from the plane, which has three parameters.
  const normal = dotProduct(vectors[0], [ex, ey, ez]) > 0 ? times(vectors[0], -1) : vectors[0];
  return { normal, standardDeviation: Math.sqrt(Math.max(0, values[0]) / (moments.totalWeight - 3)) };
}
