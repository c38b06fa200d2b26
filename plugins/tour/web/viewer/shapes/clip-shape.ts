import { dotProduct, type Point3 } from '#core';
import type { Camera } from '../math/camera.ts';

export interface PixelPoint {
  readonly x: number;
  readonly y: number;
}

/** Distance of the clipping plane from the eye for unit vectors. Clipped parts are outside of any view. */
const clipDistance = 0.02;

/**
 * Projects a shape of directions (unit vectors) to pixels, clipped at a plane just in front of the eye, so that shapes
 * around the viewer are correct. Edges are straight lines of the picture. Empty if the whole shape is behind the plane.
 * An open shape may split into parts. @see Sutherland and Hodgman (1974)
 */
export function clipShape(
  corners: readonly Point3[],
  closed: boolean,
  camera: Camera,
): readonly (readonly PixelPoint[])[] {
  const cameraCorners = corners.map((corner): Point3 => [
    dotProduct(corner, camera.right),
    dotProduct(corner, camera.up),
    dotProduct(corner, camera.forward),
  ]);
  const parts: PixelPoint[][] = [[]];
  const addPoint = (point: Point3): void => void parts.at(-1)?.push(toPixel(point, camera));
  const edges = closed ? cameraCorners.length : cameraCorners.length - 1;
  if (!closed && cameraCorners[0] && cameraCorners[0][2] >= clipDistance) addPoint(cameraCorners[0]);
  for (let k = 0; k < edges; k++) {
    const from = cameraCorners[k]!;
    const to = cameraCorners[(k + 1) % cameraCorners.length]!;
    const [isFromVisible, isToVisible] = [from[2] >= clipDistance, to[2] >= clipDistance];
    if (isFromVisible !== isToVisible) addPoint(intersectPlane(from, to));
    if (isToVisible) addPoint(to);
    if (!closed && isFromVisible && !isToVisible) parts.push([]);
  }
  return parts.filter((part) => part.length > (closed ? 2 : 1));
}

/** Computes the intersection of an edge with the clipping plane. */
function intersectPlane(from: Point3, to: Point3): Point3 {
  const share = (clipDistance - from[2]) / (to[2] - from[2]);
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share, clipDistance];
}

function toPixel([right, up, forward]: Point3, { halfWidth, halfHeight, width, height }: Camera): PixelPoint {
  return { x: ((right / forward / halfWidth + 1) / 2) * width, y: ((1 - up / forward / halfHeight) / 2) * height };
}
