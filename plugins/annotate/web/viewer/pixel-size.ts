import { perpendicularAxes, plus, times, type Point3 } from '#core';
import type { ViewSurface } from '#plugins/tour';

/** Step in metres for the numerical derivative. */
const stepMetres = 0.005;
/** Limit for grazing surfaces, whose pixels would be infinite: the value at 80 degrees. */
const maxSlant = 6;

/**
 * Metres that a pixel covers at a point: across the line of sight or, with the surface's `normal`, along the surface in
 * the direction in which it covers most. Undefined if the point is not in the picture.
 */
export function pixelSizeAt(surface: Pick<ViewSurface, 'toPixel'>, point: Point3, normal?: Point3): number | undefined {
  const at = surface.toPixel(point);
  const moved = (direction: Point3): readonly [number, number] | undefined => {
    const pixel = surface.toPixel(plus(point, times(direction, stepMetres)));
    return at && pixel && [(pixel.x - at.x) / stepMetres, (pixel.y - at.y) / stepMetres];
  };
  const [x, y, z] = [moved([1, 0, 0]), moved([0, 1, 0]), moved([0, 0, 1])];
  if (!x || !y || !z) return undefined;
  // Across the line of sight, two directions move a point by as many pixels each, the third by none.
  const across = Math.sqrt(2 / [...x, ...y, ...z].reduce((sum, value) => sum + value * value, 0));
  if (!normal) return across;
  const [u, v] = perpendicularAxes(normal).map((direction) =>
    [0, 1].map((k) => (x[k] ?? 0) * direction[0] + (y[k] ?? 0) * direction[1] + (z[k] ?? 0) * direction[2]),
  );
  const [[a = 0, c = 0] = [], [b = 0, d = 0] = []] = [u, v];
  // The inverse of the smaller of the two singular values.
  const [sum, determinant] = [(a * a + b * b + c * c + d * d) / 2, a * d - b * c];
  const along = 1 / Math.sqrt(Math.max(0, sum - Math.sqrt(Math.max(0, sum * sum - determinant * determinant))));
  return Math.min(maxSlant * across, along);
}
