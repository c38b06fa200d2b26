import { distanceBetween, perpendicularAxes, dotProduct, minus, plus, times, unitVector, type Point3 } from '#core';
import { distanceToBox, computePixelsPerRadian, type CloudCamera } from './cloud-camera.ts';
import type { CloudNode } from './cloud-node.ts';
import { findPointsNearRay, type NearPoint, type Ray } from './points-near-ray.ts';
import { findSurfaceOnRay, type SurfaceOnRay } from './surface-on-ray.ts';
import { isInside, createTileReader, type ClippingBox } from './tile-reader.ts';

/** A point is hit if it is within this distance of the pointer. */
const pickRadiusPx = 6;
/** With fewer points than this around the pointer, the spacing is wide and the search radius is multiplied. */
const minNarrowPoints = 60;
const wideFactor = 4;
/** The depth of one surface varies by at most these metres and this fraction of the distance. */
const depthTolerance = { fraction: 0.01, metres: 0.03 };
/** A point with fewer points at a similar depth is a stray point. */
const minSupport = 3;
/** If more points under the pointer than this are off the plane, they are another surface and not stray points. */
const strayLimits = { fraction: 0.2, min: 2 };
/**
 * Points in front of the surface are a thin object, such as a handrail, if there are this many with a spacing of at
 * most `maxSpacingMetres`. The ray may hit it between two of its points.
 */
const thinObject = { minPoints: 5, maxSpacingMetres: 0.03, maxPassedSpacings: 1.25 } as const;
/** Up to this distance the uncertainty covers an alternative surface. Beyond it, there is a warning of an edge. */
const maxRivalMetres = 0.05;
/** Small steps and bends of a surface that the scatter of its points does not show. */
const maxHiddenMetres = 0.0025;
/** One standard deviation of a single point of a typical scanner in metres. */
const pointSigma = 0.003;
/** Factor of the uncertainty if the ray passes outside of the points of a surface. */
const outsideFactor = 2;

export interface CloudPick {
  readonly point: Point3;
  /** Distance along the line of sight in metres. */
  readonly depth: number;
  /** Whether surfaces of different depths are under the pointer or the surface ends there. */
  readonly edge: boolean;
  /** Unit normal of the surface towards the eye; undefined with too few points. */
  readonly normal: Point3 | undefined;
  /**
   * One standard deviation along the line of sight, in metres. Undefined with too few points, or if an alternative
   * surface is far in front or behind.
   */
  readonly sigma: number | undefined;
}

/** Computes the angle around a ray in which `pickPoint` searches, radians. */
export const computePickAperture = (camera: CloudCamera): number =>
  (wideFactor * pickRadiusPx) / computePixelsPerRadian(camera);

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
  const ray: Ray = { origin: camera.position, direction, aperture: pickRadiusPx / computePixelsPerRadian(camera) };
  const narrowPoints = findPointsNearRay(nodes, ray, clip);
  const wideRay: Ray = { ...ray, aperture: computePickAperture(camera) };
  const surface =
    narrowPoints.length < minNarrowPoints
      ? findSurfaceOnRay(findPointsNearRay(nodes, wideRay, clip), wideRay)
      : findSurfaceOnRay(narrowPoints, ray);
  const hits = narrowPoints.filter(({ rayDistance, depth }) => rayDistance <= ray.aperture * depth);
  if (!surface) return pickSinglePoint(hits);
  const {
    depth,
    slope: [b, c],
    sigma,
    surroundsRay,
    rivalDistance,
  } = surface;
  const slopeFactor = Math.hypot(1, b, c);
  const [uAxis, vAxis] = perpendicularAxes(direction);
  const pointsOffPlane = hits
    .map((hit) => Math.abs(hit.depth - depth - b * hit.u - c * hit.v) / slopeFactor)
    .filter((distance) => distance > depthTolerance.metres + depthTolerance.fraction * depth);
  return {
    point: plus(ray.origin, times(direction, depth)),
    depth,
    edge: !surroundsRay || pointsOffPlane.length > Math.max(strayLimits.min, strayLimits.fraction * hits.length),
    // The normal is the negated gradient of depth - b u - c v.
    normal: unitVector(plus(times(direction, -1), plus(times(uAxis, b), times(vAxis, c)))),
    sigma: computeSigma(surroundsRay ? sigma : sigma * outsideFactor, [
      rivalDistance,
      ...findAlternatives(hits, surface),
      ...findThinObjects(narrowPoints, depth),
    ]),
  };
}

/**
 * Computes an uncertainty that covers the farthest alternative (metres from the hit) at two standard deviations.
 * Undefined if the alternative is too far away for a useful number.
 */
function computeSigma(sigma: number, alternatives: readonly number[]): number | undefined {
  const farthestAlternative = Math.max(...alternatives);
  return farthestAlternative > maxRivalMetres ? undefined : Math.hypot(sigma, maxHiddenMetres, farthestAlternative / 2);
}

/**
 * Finds the distances in metres to alternative hits. These are points under the pointer that form a cluster in front of
 * the surface, or that are the majority and behind it if the surface may end here.
 */
function findAlternatives(
  hits: readonly NearPoint[],
  { depth, slope: [b, c], isAtEnd }: SurfaceOnRay,
): readonly number[] {
  const slopeFactor = Math.hypot(1, b, c);
  const tolerance = depthTolerance.metres + depthTolerance.fraction * depth;
  const distances = hits.map((hit) => (hit.depth - depth - b * hit.u - c * hit.v) / slopeFactor).sort((x, y) => x - y);
  const inFront = distances.filter((distance) => distance < -tolerance);
  const isInCluster = (distance: number, k: number): boolean =>
    (inFront[k + minSupport - 1] ?? Infinity) < distance + tolerance;
  const distancesBehind = distances.filter((distance) => distance > tolerance);
  return [
    ...inFront.filter(isInCluster).map((distance) => -distance),
    ...(isAtEnd && distancesBehind.length > Math.max(strayLimits.min, hits.length / 2) ? distancesBehind : []),
  ];
}

/** Finds the distances in metres from a surface to thin objects in front of it that the ray may hit. */
function findThinObjects(points: readonly NearPoint[], depth: number): readonly number[] {
  const gap = depthTolerance.metres + depthTolerance.fraction * depth;
  const clusters: NearPoint[][] = [];
  for (const point of points) {
    if (point.depth >= depth - gap) break;
    const cluster = clusters.at(-1);
    if (cluster && point.depth - cluster.at(-1)!.depth <= depthTolerance.metres) cluster.push(point);
    else clusters.push([point]);
  }
  return clusters.flatMap((cluster) => {
    if (cluster.length < thinObject.minPoints) return [];
    const spacings = cluster
      .map(({ point }) =>
        Math.min(...cluster.flatMap((other) => (other.point === point ? [] : [distanceBetween(point, other.point)]))),
      )
      .sort((a, b) => a - b);
    const spacing = spacings[spacings.length >> 1]!;
    const nearest = Math.min(...cluster.map(({ rayDistance }) => rayDistance));
    return spacing <= thinObject.maxSpacingMetres && nearest <= thinObject.maxPassedSpacings * spacing
      ? [depth - cluster[0]!.depth]
      : [];
  });
}

/**
 * Picks the point nearest to the pixel in the foremost group of points of similar depth, or else the foremost point.
 */
function pickSinglePoint(hits: readonly NearPoint[]): CloudPick | undefined {
  for (const [from, first] of hits.entries()) {
    const nearHits = hits
      .slice(from)
      .filter(({ depth }) => depth <= first.depth * (1 + depthTolerance.fraction) + depthTolerance.metres);
    if (nearHits.length >= minSupport) {
      const nearest = nearHits.reduce((a, b) => (b.rayDistance < a.rayDistance ? b : a));
      // The uncertainty is the point's distance from the line of sight, because the surface may continue that far.
      return { ...toPick(nearest, nearHits.length < hits.length), sigma: Math.hypot(pointSigma, nearest.rayDistance) };
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

/** Finds all points within `radius` metres of a point, as flat x y z. */
export function findPointsAround(
  nodes: readonly CloudNode[],
  centre: Point3,
  radius: number,
  clip?: ClippingBox,
): Float64Array {
  const out: number[] = [];
  const point: [number, number, number] = [0, 0, 0];
  for (const { tile, box } of nodes) {
    if (!tile || distanceToBox(centre, box) > radius) continue;
    const reader = createTileReader(tile);
    for (let k = 0; k < reader.count; k++) {
      reader.readPosition(k, point);
      const offset = minus(point, centre);
      if (dotProduct(offset, offset) <= radius * radius && isInside(clip, point))
        out.push(point[0], point[1], point[2]);
    }
  }
  return Float64Array.from(out);
}
