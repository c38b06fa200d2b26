import type { Point3 } from '#core';
import { distanceToBox, dot, minus, pixelsPerRadian, type CloudCamera } from './cloud-camera.ts';
import type { CloudNode } from './cloud-node.ts';
import { isInside, tileReader, type ClippingBox } from './tile-reader.ts';

/** Pixels around the pointer in which points count. */
export const pickRadius = 6;
/** Points this much behind the nearest, as a share of the distance and in metres, belong to the same surface. */
const sameSurface = { share: 0.01, metres: 0.03 };
/** Fewer neighbours in depth than this: a stray point in the air before the surface. */
const leastSupport = 3;

export interface CloudPick {
  readonly point: Point3;
  /** Metres along the line of sight. */
  readonly depth: number;
  /** Surfaces of different depths lie under the pointer. */
  readonly edge: boolean;
}

interface Candidate {
  readonly point: Point3;
  readonly depth: number;
  /** Pixels from the pointer, squared. */
  readonly off: number;
}

/**
 * The point under a pixel: of the nearest surface within six pixels the point that lies closest to the pixel. A surface is some points of nearly one depth: a single
 * point before it is a stray one, as every scan has, and the wall behind is never taken for what stands before it.
 */
export function pickPoint(nodes: readonly CloudNode[], camera: CloudCamera, x: number, y: number, clip?: ClippingBox): CloudPick | undefined {
  const found = candidates(nodes, camera, x, y, clip).sort((a, b) => a.depth - b.depth);
  const surface = nearestSurface(found);
  if (!surface) return undefined;
  const best = surface.points.reduce((a, b) => (b.off < a.off ? b : a));
  return { point: best.point, depth: best.depth, edge: surface.points.length < found.length };
}

function nearestSurface(sorted: readonly Candidate[]): { readonly points: readonly Candidate[] } | undefined {
  let alone: readonly Candidate[] | undefined;
  for (let from = 0; from < sorted.length; from++) {
    const limit = sorted[from]!.depth * (1 + sameSurface.share) + sameSurface.metres;
    let to = from + 1;
    while (to < sorted.length && sorted[to]!.depth <= limit) to++;
    const points = sorted.slice(from, to);
    // A slope goes on: what follows closely belongs to it, for the count as for the choice of the closest.
    if (points.length >= Math.min(leastSupport, sorted.length)) return { points };
    alone ??= points;
  }
  return alone && { points: alone };
}

function candidates(nodes: readonly CloudNode[], camera: CloudCamera, x: number, y: number, clip: ClippingBox | undefined): Candidate[] {
  const { position, right, up, forward, halfWidth, halfHeight, width, height } = camera;
  const across = ((x / width) * 2 - 1) * halfWidth;
  const upward = (1 - (y / height) * 2) * halfHeight;
  const perMetre = pixelsPerRadian(camera);
  const out: Candidate[] = [];
  const point: [number, number, number] = [0, 0, 0];
  const ray: Point3 = [0, 1, 2].map((axis) => forward[axis]! + across * right[axis]! + upward * up[axis]!) as [number, number, number];
  for (const node of nodes) {
    if (!node.tile || !nearRay(node, position, ray, pickRadius / perMetre)) continue;
    const reader = tileReader(node.tile);
    for (let k = 0; k < reader.count; k++) {
      reader.at(k, point);
      const dx = point[0] - position[0];
      const dy = point[1] - position[1];
      const dz = point[2] - position[2];
      const depth = dx * forward[0] + dy * forward[1] + dz * forward[2];
      if (depth < 0.05) continue;
      const px = ((dx * right[0] + dy * right[1] + dz * right[2]) / depth - across) * perMetre;
      if (px > pickRadius || px < -pickRadius) continue;
      const py = ((dx * up[0] + dy * up[1] + dz * up[2]) / depth - upward) * perMetre;
      const off = px * px + py * py;
      if (off > pickRadius * pickRadius || !isInside(clip, point)) continue;
      out.push({ point: [point[0], point[1], point[2]], depth, off });
    }
  }
  return out;
}

/** Whether the box, grown by what the pointer covers at its far side, is hit by the ray. */
function nearRay({ box }: CloudNode, origin: Point3, ray: Point3, tangent: number): boolean {
  const corner: Point3 = [Math.max(Math.abs(box.minimum[0] - origin[0]), Math.abs(box.maximum[0] - origin[0])), Math.max(Math.abs(box.minimum[1] - origin[1]), Math.abs(box.maximum[1] - origin[1])), Math.max(Math.abs(box.minimum[2] - origin[2]), Math.abs(box.maximum[2] - origin[2]))];
  const slack = tangent * Math.hypot(...corner);
  let [from, to] = [0, Infinity];
  for (const axis of [0, 1, 2] as const) {
    const a = (box.minimum[axis] - slack - origin[axis]) / ray[axis];
    const b = (box.maximum[axis] + slack - origin[axis]) / ray[axis];
    if (Number.isNaN(a) || Number.isNaN(b)) continue;
    from = Math.max(from, Math.min(a, b));
    to = Math.min(to, Math.max(a, b));
  }
  return from <= to;
}

/** All points within `radius` metres of a point, x y z one after the other. */
export function pointsAround(nodes: readonly CloudNode[], centre: Point3, radius: number, clip?: ClippingBox): Float64Array {
  const out: number[] = [];
  const point: [number, number, number] = [0, 0, 0];
  for (const { tile, box } of nodes) {
    if (!tile || distanceToBox(centre, box) > radius) continue;
    const reader = tileReader(tile);
    for (let k = 0; k < reader.count; k++) {
      reader.at(k, point);
      const away = minus(point, centre);
      if (dot(away, away) <= radius * radius && isInside(clip, point)) out.push(point[0], point[1], point[2]);
    }
  }
  return Float64Array.from(out);
}
