import { crossProduct, dotProduct, vectorLength, minus, plus, times, unitVector, type Point3 } from '#core';

const up: Point3 = [0, 0, 1];

/**
 * Computes the corners of a flat rectangle through `middle`, perpendicular to the line of sight. The lines from the eye
 * through `first` and `second` meet its plane in two opposite corners. Undefined if a corner lies beside or behind the
 * eye, or if the rectangle has no area. All values are in metres, in any frame with z up.
 */
export function computeFacingBox(
  eye: Point3,
  middle: Point3,
  first: Point3,
  second: Point3,
): readonly [Point3, Point3, Point3, Point3] | undefined {
  const sight = minus(middle, eye);
  const depth = vectorLength(sight);
  if (depth === 0) return undefined;
  const normal = times(sight, 1 / depth);
  const a = projectToPlane(eye, normal, depth, first);
  const b = projectToPlane(eye, normal, depth, second);
  if (!a || !b) return undefined;
  // In a view straight up or down, z gives no upright direction, so north is used.
  const sideways = Math.abs(normal[2]) > 0.9999 ? ([1, 0, 0] as const) : unitVector(crossProduct(normal, up));
  const upwards = crossProduct(sideways, normal);
  const diagonal = minus(b, a);
  const [width, height] = [dotProduct(diagonal, sideways), dotProduct(diagonal, upwards)];
  if (Math.abs(width) < 1e-6 || Math.abs(height) < 1e-6) return undefined;
  return [a, plus(a, times(sideways, width)), b, plus(a, times(upwards, height))];
}

/** Computes points in order along the ellipse inside a parallelogram. */
export function computeEllipse([a, b, c, d]: readonly [Point3, Point3, Point3, Point3], count = 48): readonly Point3[] {
  const centre = times(plus(a, c), 0.5);
  const along = times(minus(b, a), 0.5);
  const across = times(minus(d, a), 0.5);
  return Array.from({ length: count }, (_, index) => {
    const angle = (2 * Math.PI * index) / count;
    return plus(centre, plus(times(along, Math.cos(angle)), times(across, Math.sin(angle))));
  });
}

function projectToPlane(eye: Point3, normal: Point3, depth: number, point: Point3): Point3 | undefined {
  const ray = minus(point, eye);
  const along = dotProduct(ray, normal);
  return along > 1e-9 ? plus(eye, times(ray, depth / along)) : undefined;
}
