import { perpendicularAxes, dotProduct, minus, plus, times, unitVector, type Point3 } from '#core';
import { distanceToBox, pixelsPerRadian, type CloudCamera } from './cloud-camera.ts';
import type { CloudNode } from './cloud-node.ts';
import { pointsNearRay, type NearPoint, type Ray } from './points-near-ray.ts';
import { surfaceOnRay, type SurfaceOnRay } from './surface-on-ray.ts';
import { isInside, tileReader, type ClippingBox } from './tile-reader.ts';

/** Pixels around the pointer in which a point counts as hit. */
const pickRadius = 6;
/**
 * Where fewer points than this lie around the pointer they are far apart, and it is looked so many times as far around.
 */
const manyPoints = 60;
const widening = 4;
/** Points this much behind the first, as a share of the distance and in metres, belong to the same surface. */
const sameSurface = { share: 0.01, metres: 0.03 };
/** With fewer neighbours in depth a point is a stray one in the air before the surface. */
const minSupport = 3;
/**
 * Of the points under the pointer: more that lie elsewhere than on the surface's plane are no strays, but another
 * surface.
 */
const strays = { share: 0.2, least: 2 };
/** Metres: what else may be meant is told by the uncertainty as far as this, and beyond by the warning of the edge. */
const maxRivalMetres = 0.05;
/** Metres: steps and bends within what a surface is taken from are not in the scatter of its points. */
const maxHiddenMetres = 0.0025;
/** One standard deviation of a usual scanner's single point, metres. */
const pointSigma = 0.003;
/** A surface beyond its outermost points is that much less sure. */
const openFactor = 2;

export interface CloudPick {
  readonly point: Point3;
  /** Metres along the line of sight. */
  readonly depth: number;
  /** Surfaces of different depths lie under the pointer, or the surface ends there. */
  readonly edge: boolean;
  /** Unit vector out of the surface towards the eye; undefined where there are too few points to tell. */
  readonly normal: Point3 | undefined;
  /**
   * One standard deviation along the line of sight, metres; undefined where there are too few points to tell, and where
   * something else may be meant that lies far before or behind.
   */
  readonly sigma: number | undefined;
}

/**
 * The point under a pixel: where its line of sight meets the first surface that the points around it make, so that the
 * wall behind is never taken for what stands before it through the gaps between its points, nor a stray point for a
 * thing. Where points lie too far apart for that, the nearest of those within six pixels.
 */
export function pickPoint(
  nodes: readonly CloudNode[],
  camera: CloudCamera,
  x: number,
  y: number,
  clip?: ClippingBox,
): CloudPick | undefined {
  const direction = unitVector(computeRay(camera, x, y));
  const ray: Ray = { origin: camera.position, direction, aperture: pickRadius / pixelsPerRadian(camera) };
  const narrow = pointsNearRay(nodes, ray, clip);
  const wide: Ray = { ...ray, aperture: ray.aperture * widening };
  const surface =
    narrow.length < manyPoints ? surfaceOnRay(pointsNearRay(nodes, wide, clip), wide) : surfaceOnRay(narrow, ray);
  const hits = narrow.filter(({ off, depth }) => off <= ray.aperture * depth);
  if (!surface) return singlePoint(hits);
  const {
    depth,
    slope: [b, c],
    sigma,
    enclosed,
    rival,
  } = surface;
  const lean = Math.hypot(1, b, c);
  const [across, upward] = perpendicularAxes(direction);
  const elsewhere = hits
    .map((hit) => Math.abs(hit.depth - depth - b * hit.u - c * hit.v) / lean)
    .filter((off) => off > sameSurface.metres + sameSurface.share * depth);
  return {
    point: plus(ray.origin, times(direction, depth)),
    depth,
    edge: !enclosed || elsewhere.length > Math.max(strays.least, strays.share * hits.length),
    // The gradient of depth - b u - c v, turned round: what goes away across the ray looks to the other side.
    normal: unitVector(plus(times(direction, -1), plus(times(across, b), times(upward, c)))),
    sigma: sigmaWithRival(enclosed ? sigma : sigma * openFactor, [rival, ...metInstead(hits, surface)]),
  };
}

/**
 * Twice of it reaches the farthest of what may be meant instead (metres from what was hit). Undefined where that lies
 * so far away that no number says anything.
 */
function sigmaWithRival(sigma: number, rivals: readonly number[]): number | undefined {
  const farthest = Math.max(...rivals);
  return farthest > maxRivalMetres ? undefined : Math.hypot(sigma, maxHiddenMetres, farthest / 2);
}

/**
 * Metres to what points under the pointer show that may be meant instead of a surface: before it some of nearly one
 * depth, as strays are not; behind it most of them where the surface may be over, for nobody looks through one.
 */
function metInstead(hits: readonly NearPoint[], { depth, slope: [b, c], end }: SurfaceOnRay): readonly number[] {
  const lean = Math.hypot(1, b, c);
  const within = sameSurface.metres + sameSurface.share * depth;
  const offs = hits.map((hit) => (hit.depth - depth - b * hit.u - c * hit.v) / lean).sort((x, y) => x - y);
  const before = offs.filter((off) => off < -within);
  const isTogether = (off: number, k: number): boolean => (before[k + minSupport - 1] ?? Infinity) < off + within;
  const behind = offs.filter((off) => off > within);
  return [
    ...before.filter(isTogether).map((off) => -off),
    ...(end && behind.length > Math.max(strays.least, hits.length / 2) ? behind : []),
  ];
}

/**
 * Of the foremost that has some points of nearly one depth the one closest to the pixel; or else the foremost point.
 */
function singlePoint(hits: readonly NearPoint[]): CloudPick | undefined {
  for (const [from, first] of hits.entries()) {
    const near = hits
      .slice(from)
      .filter(({ depth }) => depth <= first.depth * (1 + sameSurface.share) + sameSurface.metres);
    if (near.length >= minSupport) {
      const nearest = near.reduce((a, b) => (b.off < a.off ? b : a));
      // It is known by how much it lies beside the line of sight, and so by how much the surface may go on from it.
      return { ...toPick(nearest, near.length < hits.length), sigma: Math.hypot(pointSigma, nearest.off) };
    }
  }
  const [foremost] = hits;
  return foremost && toPick(foremost, hits.length > 1);
}

const toPick = ({ point, depth }: NearPoint, edge: boolean): CloudPick => ({
  point,
  depth,
  edge,
  normal: undefined,
  sigma: undefined,
});

function computeRay(
  { right, up, forward, halfWidth, halfHeight, width, height }: CloudCamera,
  x: number,
  y: number,
): Point3 {
  return plus(
    forward,
    plus(times(right, ((x / width) * 2 - 1) * halfWidth), times(up, (1 - (y / height) * 2) * halfHeight)),
  );
}

/** All points within `radius` metres of a point, x y z one after the other. */
export function pointsAround(
  nodes: readonly CloudNode[],
  centre: Point3,
  radius: number,
  clip?: ClippingBox,
): Float64Array {
  const out: number[] = [];
  const point: [number, number, number] = [0, 0, 0];
  for (const { tile, box } of nodes) {
    if (!tile || distanceToBox(centre, box) > radius) continue;
    const reader = tileReader(tile);
    for (let k = 0; k < reader.count; k++) {
      reader.at(k, point);
      const away = minus(point, centre);
      if (dotProduct(away, away) <= radius * radius && isInside(clip, point)) out.push(point[0], point[1], point[2]);
    }
  }
  return Float64Array.from(out);
}
