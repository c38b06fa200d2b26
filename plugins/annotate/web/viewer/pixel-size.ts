import { perpendicularAxes, plus, times, type Point3 } from '#core';
import type { ViewSurface } from '#plugins/tour';

/** Step in metres for the numerical derivative. */
const stepMetres = 0.005;
/** Largest factor for a slanted surface, which is reached at 80 degrees. A grazing view would make it infinite. */
const maxSlant = 6;

/**
 * Computes the metres that a pixel covers at a point, across the line of sight. With the surface's `normal`, it is the
 * largest length along the surface. Undefined if the point is not in the picture.
 */
export function pixelSizeAt(surface: Pick<ViewSurface, 'toPixel'>, point: Point3, normal?: Point3): number | undefined {
  const centre = surface.toPixel(point);
  const computeShift = (direction: Point3): readonly [number, number] | undefined => {
    const pixel = surface.toPixel(plus(point, times(direction, stepMetres)));
    return centre && pixel && [(pixel.x - centre.x) / stepMetres, (pixel.y - centre.y) / stepMetres];
  };
  const [x, y, z] = [computeShift([1, 0, 0]), computeShift([0, 1, 0]), computeShift([0, 0, 1])];
  if (!x || !y || !z) return undefined;
  // Two directions across the line of sight move a pixel equally far. The third direction does not move it.
  const across = Math.sqrt(2 / [...x, ...y, ...z].reduce((sum, value) => sum + value * value, 0));
  if (!normal) return across;
  const [u, v] = perpendicularAxes(normal).map((direction) =>
    [0, 1].map((k) => (x[k] ?? 0) * direction[0] + (y[k] ?? 0) * direction[1] + (z[k] ?? 0) * direction[2]),
  );
  const [[a = 0, c = 0] = [], [b = 0, d = 0] = []] = [u, v];
  // The inverse of the smaller singular value.
  const [sum, determinant] = [(a * a + b * b + c * c + d * d) / 2, a * d - b * c];
  const along = 1 / Math.sqrt(Math.max(0, sum - Math.sqrt(Math.max(0, sum * sum - determinant * determinant))));
  return Math.min(maxSlant * across, along);
}
