import { dotProduct, type Point3 } from '#core';
import type { Camera } from '../math/camera.ts';

export interface PixelPoint {
  readonly x: number;
  readonly y: number;
}

/**
 * Distance of the clipping plane from the eye, relative to the length of the corner vectors. Clipped parts are outside
 * of any view.
 */
const clipDistance = 0.02;

/**
 * Projects a shape, whose corners are vectors from the eye, to pixels. The shape is clipped at a plane just in front of
 * the eye, so that shapes around the viewer are correct. Returns the visible parts: none if the whole shape is behind
 * the plane, and several if clipping splits an open shape. @see Sutherland and Hodgman (1974)
 */
export function projectShape(
  corners: readonly Point3[],
  isClosed: boolean,
  camera: Camera,
): readonly (readonly PixelPoint[])[] {
  const cameraCorners = corners.map((corner): Point3 => [
    dotProduct(corner, camera.right),
    dotProduct(corner, camera.up),
    dotProduct(corner, camera.forward),
  ]);
  const parts: PixelPoint[][] = [[]];
  const addPoint = (point: Point3): void => void parts.at(-1)?.push(toPixel(point, camera));
  const edgeCount = isClosed ? cameraCorners.length : cameraCorners.length - 1;
  if (!isClosed && cameraCorners[0] && cameraCorners[0][2] >= clipDistance) addPoint(cameraCorners[0]);
  for (let k = 0; k < edgeCount; k++) {
    const from = cameraCorners[k]!;
    const to = cameraCorners[(k + 1) % cameraCorners.length]!;
    const [isFromVisible, isToVisible] = [from[2] >= clipDistance, to[2] >= clipDistance];
    if (isFromVisible !== isToVisible) addPoint(intersectPlane(from, to));
    if (isToVisible) addPoint(to);
    if (!isClosed && isFromVisible && !isToVisible) parts.push([]);
  }
  return parts.filter((part) => part.length > (isClosed ? 2 : 1));
}

/** Computes the intersection of an edge with the clipping plane. */
function intersectPlane(from: Point3, to: Point3): Point3 {
  const fraction = (clipDistance - from[2]) / (to[2] - from[2]);
  return [from[0] + (to[0] - from[0]) * fraction, from[1] + (to[1] - from[1]) * fraction, clipDistance];
}

function toPixel([rightward, upward, depth]: Point3, { halfWidth, halfHeight, width, height }: Camera): PixelPoint {
  return { x: ((rightward / depth / halfWidth + 1) / 2) * width, y: ((1 - upward / depth / halfHeight) / 2) * height };
}
