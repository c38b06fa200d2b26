import type { Point } from '../plant/types.ts';
import { cross, toDirection, dot, subtract } from '../plant/vector.ts';

/** A pinhole camera in the site frame. Angles are in degrees; `fov` is vertical. */
export interface Camera {
  readonly position: Point;
  readonly heading: number;
  readonly tilt: number;
  readonly fov: number;
}

/** The image position of a point, as fractions from the upper left corner; undefined for a point behind the camera. */
export function project(camera: Camera, aspect: number, point: Point): readonly [number, number] | undefined {
  const forward = toDirection(camera.heading, camera.tilt);
  const right = toDirection(camera.heading + 90, 0);
  const up = cross(right, forward);
  const offset = subtract(point, camera.position);
  const depth = dot(offset, forward);
  if (depth <= 0.01) return undefined;
  const halfHeight = Math.tan((camera.fov * Math.PI) / 360);
  return [0.5 + dot(offset, right) / depth / halfHeight / aspect / 2, 0.5 - dot(offset, up) / depth / halfHeight / 2];
}

/** The outline of a box in the image: the clockwise convex hull of its corners, clipped to the image. */
export function computeOutline(camera: Camera, aspect: number, min: Point, max: Point): (readonly [number, number])[] {
  const points: (readonly [number, number])[] = [];
  for (const x of [min[0], max[0]])
    for (const y of [min[1], max[1]])
      for (const z of [min[2], max[2]]) {
        const imagePoint = project(camera, aspect, [x, y, z]);
        if (imagePoint) points.push(imagePoint);
      }
  const clamp = (value: number): number => Number(Math.min(1, Math.max(0, value)).toFixed(4));
  return computeHull(points).map(([x, y]) => [clamp(x), clamp(y)] as const);
}

/** Convex hull by Andrew's monotone chain. */
function computeHull(points: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const computeHalfHull = (sortedPoints: readonly (readonly [number, number])[]): (readonly [number, number])[] => {
    const chain: (readonly [number, number])[] = [];
    for (const p of sortedPoints) {
      for (let n = chain.length; n > 1; n = chain.length) {
        const [a, b] = [chain[n - 2]!, chain[n - 1]!];
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        chain.pop();
      }
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...computeHalfHull(sorted), ...computeHalfHull(sorted.reverse())];
}
