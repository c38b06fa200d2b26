import { dotProduct, type Point3 } from '#core';
import type { Camera } from '../math/camera.ts';

export interface PixelPoint {
  readonly x: number;
  readonly y: number;
}

/** Cosine to the line of sight at which a shape is clipped: beyond the widest possible view. */
const nearest = 0.02;

/**
 * Projects a shape of directions (unit vectors) to pixels, clipped at a plane just in front of the eye, so that shapes
 * around the viewer are correct. An edge is a straight line of the picture. Empty if all is behind. An open shape may
 * split into parts. @see Sutherland and Hodgman (1974)
 */
export function clipShape(
  corners: readonly Point3[],
  closed: boolean,
  camera: Camera,
): readonly (readonly PixelPoint[])[] {
  const seen = corners.map((corner): Point3 => [
    dotProduct(corner, camera.right),
    dotProduct(corner, camera.up),
    dotProduct(corner, camera.forward),
  ]);
  const parts: PixelPoint[][] = [[]];
  const take = (point: Point3): void => void parts.at(-1)?.push(toPixel(point, camera));
  const edges = closed ? seen.length : seen.length - 1;
  if (!closed && seen[0] && seen[0][2] >= nearest) take(seen[0]);
  for (let k = 0; k < edges; k++) {
    const from = seen[k]!;
    const to = seen[(k + 1) % seen.length]!;
    const [fromIn, toIn] = [from[2] >= nearest, to[2] >= nearest];
    if (fromIn !== toIn) take(crossing(from, to));
    if (toIn) take(to);
    if (!closed && fromIn && !toIn) parts.push([]);
  }
  return parts.filter((part) => part.length > (closed ? 2 : 1));
}

/** The intersection of an edge with the plane. */
function crossing(from: Point3, to: Point3): Point3 {
  const share = (nearest - from[2]) / (to[2] - from[2]);
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share, nearest];
}

function toPixel([right, up, ahead]: Point3, { halfWidth, halfHeight, width, height }: Camera): PixelPoint {
  return { x: ((right / ahead / halfWidth + 1) / 2) * width, y: ((1 - up / ahead / halfHeight) / 2) * height };
}
