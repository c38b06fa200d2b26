import { perpendicularAxes, dotProduct, minus, plus, times, unitVector, type Point3 } from '#core';
import { distanceToBox, pixelsPerRadian, type CloudCamera } from './cloud-camera.ts';
import type { CloudNode } from './cloud-node.ts';
import { pointsNearRay, type NearPoint, type Ray } from './points-near-ray.ts';
import { surfaceOnRay, type SurfaceOnRay } from './surface-on-ray.ts';
import { isInside, tileReader, type ClippingBox } from './tile-reader.ts';

/** Pixels around the pointer within which a point is hit. */
const pickRadius = 6;
/** With fewer points than this around the pointer, the spacing is wide, and the search radius is multiplied. */
const manyPoints = 60;
const widening = 4;
/** Depth tolerance of one surface behind its first point, as a share of the distance and in metres. */
const sameSurface = { share: 0.01, metres: 0.03 };
/** A point with fewer neighbours in depth is a stray point in the air. */
const minSupport = 3;
/** With more points under the pointer off the plane than this, they are another surface and not strays. */
const strays = { share: 0.2, min: 2 };
/** Metres: up to this distance the uncertainty covers an alternative surface; beyond, the edge warning does. */
const maxRivalMetres = 0.05;
/** Metres: small steps and bends of a surface, which the scatter of its points does not show. */
const maxHiddenMetres = 0.0025;
/** Metres: one standard deviation of a single point of a typical scanner. */
const pointSigma = 0.003;
/** Factor by which the uncertainty grows outside of a surface's points. */
const openFactor = 2;

export interface CloudPick {
  readonly point: Point3;
  /** Metres along the line of sight. */
  readonly depth: number;
  /** Surfaces of different depths are under the pointer, or the surface ends there. */
  readonly edge: boolean;
  /** Unit normal of the surface towards the eye; undefined with too few points. */
  readonly normal: Point3 | undefined;
  /**
   * One standard deviation along the line of sight, in metres. Undefined with too few points, or if an alternative
   * surface is far in front or behind.
   */
  readonly sigma: number | undefined;
}

/**
 * Picks the point where the line of sight through a pixel meets the first surface, ignoring gaps between its points and
 * stray points. If the spacing is too wide for a surface, returns the nearest point within six pixels.
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
  const offPlane = hits
    .map((hit) => Math.abs(hit.depth - depth - b * hit.u - c * hit.v) / lean)
    .filter((off) => off > sameSurface.metres + sameSurface.share * depth);
  return {
    point: plus(ray.origin, times(direction, depth)),
    depth,
    edge: !enclosed || offPlane.length > Math.max(strays.min, strays.share * hits.length),
    // The negated gradient of depth - b u - c v: a surface that recedes along an axis faces the other way.
    normal: unitVector(plus(times(direction, -1), plus(times(across, b), times(upward, c)))),
    sigma: sigmaWithRival(enclosed ? sigma : sigma * openFactor, [rival, ...metInstead(hits, surface)]),
  };
}

/**
 * An uncertainty that covers the farthest alternative (metres from the hit) at two standard deviations. Undefined if
 * the alternative is too far away for a useful number.
 */
function sigmaWithRival(sigma: number, rivals: readonly number[]): number | undefined {
  const farthest = Math.max(...rivals);
  return farthest > maxRivalMetres ? undefined : Math.hypot(sigma, maxHiddenMetres, farthest / 2);
}

/**
 * Metres to an alternative hit suggested by points under the pointer: a cluster in front of the surface, or a majority
 * behind it where the surface may end.
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
    ...(end && behind.length > Math.max(strays.min, hits.length / 2) ? behind : []),
  ];
}

/**
 * Returns the point nearest to the pixel among the foremost ones with neighbours of similar depth, or else the foremost
 * point.
 */
function singlePoint(hits: readonly NearPoint[]): CloudPick | undefined {
  for (const [from, first] of hits.entries()) {
    const near = hits
      .slice(from)
      .filter(({ depth }) => depth <= first.depth * (1 + sameSurface.share) + sameSurface.metres);
    if (near.length >= minSupport) {
      const nearest = near.reduce((a, b) => (b.off < a.off ? b : a));
      // Its uncertainty is its offset from the line of sight, because the surface may continue that far.
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

/** All points within `radius` metres of a point, as flat x y z. */
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
