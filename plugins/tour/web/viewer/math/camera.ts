import { crossProduct, toDirection, dotProduct, toPanTilt, radians, type Point3 } from '#core';
import type { PanoramaView } from '#plugins/tour';

/** A view and its size in pixels, with the three axes of the camera in the site frame. */
export interface Camera {
  readonly right: Point3;
  readonly up: Point3;
  readonly forward: Point3;
  /** Half the picture's width and height on a plane at distance one. */
  readonly halfWidth: number;
  readonly halfHeight: number;
  /** Size in pixels. */
  readonly width: number;
  readonly height: number;
}

export function createCamera(view: PanoramaView, width: number, height: number): Camera {
  const forward = toDirection(view.pan, view.tilt);
  const pan = radians(view.pan);
  const right: Point3 = [Math.cos(pan), -Math.sin(pan), 0];
  const halfHeight = Math.tan(radians(view.fov) / 2);
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

/** Projects a direction to pixels from the top left corner. Undefined behind the camera, or if the image has no size. */
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

/** Computes the pan and tilt of a pixel in degrees. */
export function computeDirection(
  camera: Camera,
  x: number,
  y: number,
): { readonly pan: number; readonly tilt: number } {
  const rightward = ((x / camera.width) * 2 - 1) * camera.halfWidth;
  const upward = (1 - (y / camera.height) * 2) * camera.halfHeight;
  const axis = (index: 0 | 1 | 2): number =>
    camera.forward[index] + rightward * camera.right[index] + upward * camera.up[index];
  return toPanTilt([axis(0), axis(1), axis(2)]);
}

/** Computes the screen pixels per radian at the centre. A sharp picture needs as many. */
export const computePixelsPerRadian = (camera: Camera): number => camera.height / 2 / camera.halfHeight;

/** Clipping distances, metres. Pictures without ranges are drawn on a sphere of radius one. */
const near = 0.05;
const far = 200;

/** Writes the matrix from the site frame relative to the eye to clip space. Column-major, as in WebGL. */
export function writeClipMatrix(camera: Camera, target: Float32Array): Float32Array {
  const { right, up, forward, halfWidth, halfHeight } = camera;
  const scale = (far + near) / (far - near);
  const shift = (-2 * far * near) / (far - near);
  for (const column of [0, 1, 2] as const) {
    target[column * 4] = right[column] / halfWidth;
    target[column * 4 + 1] = up[column] / halfHeight;
    target[column * 4 + 2] = forward[column] * scale;
    target[column * 4 + 3] = forward[column];
  }
  target.set([0, 0, shift, 0], 12);
  return target;
}
