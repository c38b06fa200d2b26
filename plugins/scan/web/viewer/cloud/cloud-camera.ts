import { crossProduct, toDirection, dotProduct, minus, radians, type Point3 } from '#core';
import type { EyeView } from '#plugins/tour';

/** A view with the three axes of its camera. */
export interface CloudCamera {
  readonly position: Point3;
  readonly right: Point3;
  readonly up: Point3;
  readonly forward: Point3;
  /** Half of the image's width and height on a plane at one metre. */
  readonly halfWidth: number;
  readonly halfHeight: number;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
}

export function cloudCamera({ position, pan, tilt, fov }: EyeView, width: number, height: number): CloudCamera {
  const forward = toDirection(pan, tilt);
  const right: Point3 = [Math.cos(radians(pan)), -Math.sin(radians(pan)), 0];
  const up = crossProduct(right, forward);
  const halfHeight = Math.tan(radians(fov) / 2);
  return { position, right, up, forward, halfWidth: (halfHeight * width) / height, halfHeight, width, height };
}

/**
 * Projects a point to CSS pixels from the top left corner, with its depth along the line of sight. Undefined behind the
 * eye.
 */
export function project(
  camera: CloudCamera,
  point: Point3,
): { readonly x: number; readonly y: number; readonly depth: number } | undefined {
  const away = minus(point, camera.position);
  const depth = dotProduct(away, camera.forward);
  if (depth <= 1e-6) return undefined;
  return {
    x: ((dotProduct(away, camera.right) / depth / camera.halfWidth + 1) / 2) * camera.width,
    y: ((1 - dotProduct(away, camera.up) / depth / camera.halfHeight) / 2) * camera.height,
    depth,
  };
}

/** Pixels per metre at a distance of one metre. */
export const pixelsPerRadian = (camera: CloudCamera): number => camera.height / 2 / camera.halfHeight;

export interface Box {
  readonly minimum: Point3;
  readonly maximum: Point3;
}

/** Metres from a point to a box; 0 inside. */
export function distanceToBox(point: Point3, { minimum, maximum }: Box): number {
  return Math.hypot(
    ...([0, 1, 2] as const).map((axis) => Math.max(minimum[axis] - point[axis], 0, point[axis] - maximum[axis])),
  );
}

/** False if no part of the box can be visible. May be true for a box just outside of the image. */
export function boxInSight(camera: CloudCamera, { minimum, maximum }: Box): boolean {
  const { position, right, up, forward, halfWidth, halfHeight } = camera;
  const mixed = (axis: Point3, sign: 1 | -1, half: number): Point3 => [
    forward[0] * half + sign * axis[0],
    forward[1] * half + sign * axis[1],
    forward[2] * half + sign * axis[2],
  ];
  const planes = [
    forward,
    mixed(right, 1, halfWidth),
    mixed(right, -1, halfWidth),
    mixed(up, 1, halfHeight),
    mixed(up, -1, halfHeight),
  ];
  return planes.every((normal) => {
    const farthest: Point3 = [
      normal[0] > 0 ? maximum[0] : minimum[0],
      normal[1] > 0 ? maximum[1] : minimum[1],
      normal[2] > 0 ? maximum[2] : minimum[2],
    ];
    return dotProduct(minus(farthest, position), normal) >= 0;
  });
}

const nearest = 0.05;

/** The matrix from the site frame relative to the eye to clip space, column-major. */
export function clipMatrix(
  { right, up, forward, halfWidth, halfHeight }: CloudCamera,
  far: number,
  target: Float32Array,
): Float32Array {
  const scale = (far + nearest) / (far - nearest);
  for (const column of [0, 1, 2] as const) {
    target[column * 4] = right[column] / halfWidth;
    target[column * 4 + 1] = up[column] / halfHeight;
    target[column * 4 + 2] = forward[column] * scale;
    target[column * 4 + 3] = forward[column];
  }
  target.set([0, 0, (-2 * far * nearest) / (far - nearest), 0], 12);
  return target;
}
