import type { Point3 } from '#core';
import { distanceToBox, dot, minus, pixelsPerRadian, type CloudCamera } from './cloud-camera.ts';
import type { CloudNode } from './cloud-node.ts';
import { isInside, tileReader, type ClippingBox } from './tile-reader.ts';

/** Pixels around the pointer in which a point counts as hit. */
const pickRadius = 6;
/** Near by, or where a scanner looked along it, the points of a surface lie further apart than that, and one would pick through its gaps: so far around is looked for a surface that encloses the pointer. */
const around = { metres: 0.1, pixels: 48 };
/** Points this much behind the first, as a share of the distance and in metres, belong to the same surface. */
const sameSurface = { share: 0.01, metres: 0.03 };
/** The same for a surface that is seen aslant. */
const aslant = 0.15;
/** With fewer neighbours in depth a point is a stray one in the air before the surface. */
const leastSupport = 3;
const leastEnclosing = 5;
/** Degrees: the widest gap in the ring of points around the pointer. */
const widestGap = 150;
/** How many times the usual way between points the nearest may be away: beyond, it is a hole in the thing and not in its scan. */
const largestHole = 1.5;
const fittedPoints = 12;
/** Metres, root mean square along the line of sight: three times a scanner's noise. */
const flatEnough = 0.01;

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
  /** Pixels from the pointer. */
  readonly x: number;
  readonly y: number;
  readonly off: number;
}

/**
 * The point under a pixel. A surface is some points of nearly one depth: of the nearest that has points within six pixels, the point closest to the pixel; or, where its
 * points lie further apart on screen but all around the pixel, the place in between. So the wall behind is never taken for what stands before it, nor a stray point for a thing.
 */
export function pickPoint(nodes: readonly CloudNode[], camera: CloudCamera, x: number, y: number, clip?: ClippingBox): CloudPick | undefined {
  const found = candidates(nodes, camera, x, y, clip).sort((a, b) => a.depth - b.depth);
  const hits = found.filter(({ off }) => off <= pickRadius);
  let lonely: CloudPick | undefined;
  for (const [from, first] of found.entries()) {
    const near = within(found, from, first.depth * (1 + sameSurface.share) + sameSurface.metres).filter(({ off }) => off <= pickRadius);
    if (first.off <= pickRadius) {
      const best = near.reduce((a, b) => (b.off < a.off ? b : a));
      const pick = { point: best.point, depth: best.depth, edge: near.length < hits.length };
      if (near.length >= leastSupport) return pick;
      lonely ??= pick;
    }
    const ring = enclosing(within(found, from, first.depth + aslant), pixelsPerRadian(camera));
    if (!ring) continue;
    const flat = planeDepth(ring);
    if (flat !== undefined) return { point: pointAt(camera, x, y, flat), depth: flat, edge: hits.some((hit) => hit.depth > flat + aslant) };
    const front = frontOf(ring);
    return { point: front.point, depth: front.depth, edge: true };
  }
  return lonely;
}

function within(sorted: readonly Candidate[], from: number, limit: number): readonly Candidate[] {
  let to = from + 1;
  while (to < sorted.length && sorted[to]!.depth <= limit) to++;
  return sorted.slice(from, to);
}

/** The nearest points of a surface that lies all around the pixel; undefined where it does not. */
function enclosing(points: readonly Candidate[], perMetre: number): readonly [Candidate, ...Candidate[]] | undefined {
  if (points.length < leastEnclosing) return undefined;
  const [nearest, ...others] = [...points].sort((a, b) => a.off - b.off);
  if (!nearest) return undefined;
  const radius = Math.min(around.pixels, (around.metres * perMetre) / points[0]!.depth);
  const usual = radius * Math.sqrt(Math.PI / points.length);
  if (nearest.off > usual * largestHole) return undefined;
  const ring: readonly [Candidate, ...Candidate[]] = [nearest, ...others.slice(0, fittedPoints - 1)];
  const angles = ring.map(({ x, y }) => (Math.atan2(y, x) * 180) / Math.PI).sort((a, b) => a - b);
  const gaps = angles.map((angle, k) => (k + 1 < angles.length ? angles[k + 1]! : angles[0]! + 360) - angle);
  return Math.max(...gaps) <= widestGap ? ring : undefined;
}

/** Several things at once lie around the pixel: the point closest to it of the foremost that has some. */
function frontOf(ring: readonly [Candidate, ...Candidate[]]): Candidate {
  const sorted = [...ring].sort((a, b) => a.depth - b.depth);
  for (const [from, first] of sorted.entries()) {
    const group = within(sorted, from, first.depth * (1 + sameSurface.share) + sameSurface.metres);
    if (group.length >= leastSupport) return group.reduce((a, b) => (b.off < a.off ? b : a));
  }
  return ring[0];
}

/** Depth at the pixel of a plane through points: on a plane one divided by the depth grows evenly over the picture. Least squares of `a + b x + c y`; undefined where they lie on none. */
function planeDepth(points: readonly Candidate[]): number | undefined {
  let [n, sx, sy, sxx, sxy, syy, sv, sxv, syv] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (const { x, y, depth } of points) {
    const value = 1 / depth;
    n += 1;
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
    syy += y * y;
    sv += value;
    sxv += x * value;
    syv += y * value;
  }
  const [ixx, ixy, iyy] = [sxx * syy - sxy * sxy, sxy * sy - sx * syy, sx * sxy - sxx * sy];
  const determinant = n * ixx + sx * ixy + sy * iyy;
  const a = (sv * ixx + sxv * ixy + syv * iyy) / determinant;
  const b = (sv * ixy + sxv * (n * syy - sy * sy) + syv * (sx * sy - n * sxy)) / determinant;
  const c = (sv * iyy + sxv * (sx * sy - n * sxy) + syv * (n * sxx - sx * sx)) / determinant;
  const off = points.reduce((sum, { x, y, depth }) => sum + (1 / (a + b * x + c * y) - depth) ** 2, 0);
  return a > 0 && Math.sqrt(off / n) <= flatEnough ? 1 / a : undefined;
}

function pointAt({ position, right, up, forward, halfWidth, halfHeight, width, height }: CloudCamera, x: number, y: number, depth: number): Point3 {
  const across = ((x / width) * 2 - 1) * halfWidth * depth;
  const upward = (1 - (y / height) * 2) * halfHeight * depth;
  const axis = (k: 0 | 1 | 2): number => position[k] + forward[k] * depth + right[k] * across + up[k] * upward;
  return [axis(0), axis(1), axis(2)];
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
      const radius = Math.max(pickRadius, Math.min(around.pixels, (around.metres * perMetre) / depth));
      const px = ((dx * right[0] + dy * right[1] + dz * right[2]) / depth - across) * perMetre;
      if (px > radius || px < -radius) continue;
      const py = ((dx * up[0] + dy * up[1] + dz * up[2]) / depth - upward) * perMetre;
      const off = px * px + py * py;
      if (off > radius * radius || !isInside(clip, point)) continue;
      out.push({ point: [point[0], point[1], point[2]], depth, x: px, y: py, off: Math.sqrt(off) });
    }
  }
  return out;
}

/** Whether the box, grown by what the pointer covers at its far side, is hit by the ray. */
function nearRay({ box }: CloudNode, origin: Point3, ray: Point3, tangent: number): boolean {
  const corner: Point3 = [Math.max(Math.abs(box.minimum[0] - origin[0]), Math.abs(box.maximum[0] - origin[0])), Math.max(Math.abs(box.minimum[1] - origin[1]), Math.abs(box.maximum[1] - origin[1])), Math.max(Math.abs(box.minimum[2] - origin[2]), Math.abs(box.maximum[2] - origin[2]))];
  const slack = Math.max(around.metres, tangent * Math.hypot(...corner));
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
