import { crossProduct, toDirection, dotProduct, toPanTilt, toRadians, type Point3 } from '#core';
import type { PanoramaView } from '#plugins/tour';

/** The axes of a camera as unit vectors of the site frame, with its field of view and its size in pixels. */
export interface Camera {
  readonly right: Point3;
  readonly up: Point3;
  readonly forward: Point3;
  /** Tangent of half the horizontal field of view. */
  readonly halfWidth: number;
  /** Tangent of half the vertical field of view. */
  readonly halfHeight: number;
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
}

export function createCamera(view: PanoramaView, width: number, height: number): Camera {
  const forward = toDirection(view.pan, view.tilt);
  const pan = toRadians(view.pan);
  const right: Point3 = [Math.cos(pan), -Math.sin(pan), 0];
  const halfHeight = Math.tan(toRadians(view.fov) / 2);
  return {
    right,
    up: crossProduct(right, forward),
    forward,
    halfWidth: (halfHeight * width) / height,
    halfHeight,
    width,
    height,
  };
}

/**
 * Projects a direction of the site frame to pixels from the top left corner. Returns undefined for a direction behind
 * the camera, and if the image has no size.
 */
export function projectDirection(
  camera: Camera,
  direction: Point3,
): { readonly x: number; readonly y: number } | undefined {
  const depth = dotProduct(direction, camera.forward);
  if (depth <= 1e-6 || camera.width === 0 || camera.height === 0) return undefined;
  return {
    x: ((dotProduct(direction, camera.right) / depth / camera.halfWidth + 1) / 2) * camera.width,
    y: ((1 - dotProduct(direction, camera.up) / depth / camera.halfHeight) / 2) * camera.height,
  };
}

/** Computes the direction of a pixel as pan and tilt in degrees. */
export function computePanTilt(camera: Camera, x: number, y: number): { readonly pan: number; readonly tilt: number } {
  const rightward = ((x / camera.width) * 2 - 1) * camera.halfWidth;
  const upward = (1 - (y / camera.height) * 2) * camera.halfHeight;
  const componentAt = (index: 0 | 1 | 2): number =>
    camera.forward[index] + rightward * camera.right[index] + upward * camera.up[index];
  return toPanTilt([componentAt(0), componentAt(1), componentAt(2)]);
}

/** Computes the screen pixels per radian at the centre: the resolution that a sharp picture needs. */
export const computePixelsPerRadian = (camera: Camera): number => camera.height / 2 / camera.halfHeight;

/**
 * Distances of the clipping planes in metres. Pictures without ranges are drawn on a sphere with a radius of one metre,
 * between both planes.
 */
const nearMetres = 0.05;
const farMetres = 200;

/**
 * Writes the matrix that projects a vector from the eye, in axes of the site frame, to clip space. Column-major, as in
 * WebGL.
 */
export function writeClipMatrix(camera: Camera, target: Float32Array): Float32Array {
  const { right, up, forward, halfWidth, halfHeight } = camera;
  const scale = (farMetres + nearMetres) / (farMetres - nearMetres);
  const shift = (-2 * farMetres * nearMetres) / (farMetres - nearMetres);
  for (const column of [0, 1, 2] as const) {
    target[column * 4] = right[column] / halfWidth;
    target[column * 4 + 1] = up[column] / halfHeight;
    target[column * 4 + 2] = forward[column] * scale;
    target[column * 4 + 3] = forward[column];
  }
  target.set([0, 0, shift, 0], 12);
  return target;
}
