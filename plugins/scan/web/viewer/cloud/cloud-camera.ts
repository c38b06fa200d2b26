import { crossProduct, toDirection, dotProduct, minus, toRadians, type Point3 } from '#core';
import type { CameraView } from '#plugins/tour';

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

export function createCloudCamera(
  { position, pan, tilt, fov }: CameraView,
  width: number,
  height: number,
): CloudCamera {
  const forward = toDirection(pan, tilt);
  const right: Point3 = [Math.cos(toRadians(pan)), -Math.sin(toRadians(pan)), 0];
  const up = crossProduct(right, forward);
  const halfHeight = Math.tan(toRadians(fov) / 2);
  return { position, right, up, forward, halfWidth: (halfHeight * width) / height, halfHeight, width, height };
}

/**
 * Projects a point to CSS pixels from the top left corner, with its depth along the line of sight in metres. Returns
 * undefined if the point is behind the eye, or if the image has no size yet.
 */
export function project(
  camera: CloudCamera,
  point: Point3,
): { readonly x: number; readonly y: number; readonly depth: number } | undefined {
  const offset = minus(point, camera.position);
  const depth = dotProduct(offset, camera.forward);
  if (depth <= 1e-6 || camera.width === 0 || camera.height === 0) return undefined;
  return {
    x: ((dotProduct(offset, camera.right) / depth / camera.halfWidth + 1) / 2) * camera.width,
    y: ((1 - dotProduct(offset, camera.up) / depth / camera.halfHeight) / 2) * camera.height,
    depth,
  };
}

/** Computes the CSS pixels per radian at the centre of the image. */
export const computePixelsPerRadian = (camera: CloudCamera): number => camera.height / 2 / camera.halfHeight;

export interface Box {
  readonly minimum: Point3;
  readonly maximum: Point3;
}

/** The distance from a point to a box in metres; 0 inside. */
export function distanceToBox(point: Point3, { minimum, maximum }: Box): number {
  return Math.hypot(
    ...([0, 1, 2] as const).map((axis) => Math.max(minimum[axis] - point[axis], 0, point[axis] - maximum[axis])),
  );
}

/** True if a part of the box may be visible. It may also be true for a box just outside of the image. */
export function isBoxVisible(camera: CloudCamera, { minimum, maximum }: Box): boolean {
  const { position, right, up, forward, halfWidth, halfHeight } = camera;
  const computeNormal = (axis: Point3, sign: 1 | -1, scale: number): Point3 => [
    forward[0] * scale + sign * axis[0],
    forward[1] * scale + sign * axis[1],
    forward[2] * scale + sign * axis[2],
  ];
  const planes = [
    forward,
    computeNormal(right, 1, halfWidth),
    computeNormal(right, -1, halfWidth),
    computeNormal(up, 1, halfHeight),
    computeNormal(up, -1, halfHeight),
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

const nearPlaneMetres = 0.05;

/** Computes `a` and `b` of `a + b / depth`, the depth of a point in the graphics card's range of -1 to 1. */
export const computeDepthTerms = (farPlaneMetres: number): readonly [number, number] => [
  (farPlaneMetres + nearPlaneMetres) / (farPlaneMetres - nearPlaneMetres),
  (-2 * farPlaneMetres * nearPlaneMetres) / (farPlaneMetres - nearPlaneMetres),
];

/** Computes the column-major matrix to clip space from a frame like the site frame, with its origin at the eye. */
export function computeClipMatrix(
  { right, up, forward, halfWidth, halfHeight }: CloudCamera,
  farPlaneMetres: number,
  target: Float32Array,
): Float32Array {
  const [scale, offset] = computeDepthTerms(farPlaneMetres);
  for (const column of [0, 1, 2] as const) {
    target[column * 4] = right[column] / halfWidth;
    target[column * 4 + 1] = up[column] / halfHeight;
    target[column * 4 + 2] = forward[column] * scale;
    target[column * 4 + 3] = forward[column];
  }
  target.set([0, 0, offset, 0], 12);
  return target;
}
