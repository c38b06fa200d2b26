import { fitCurvedSurface } from './fit-curved-surface.ts';
import {
  computePlaneDistance,
  minPointsAround,
  isHit,
  minScatterMetres,
  describeDistribution,
  findPlanesNearRay,
  type Neighbour,
  type SeenPlane,
} from './planes-near-ray.ts';
import type { NearPoint, Ray } from './points-near-ray.ts';

/** The intersection of a ray and a surface, in the ray's frame, in metres. */
export interface SurfaceOnRay {
  readonly depth: number;
  /** Slope of the surface per metre along `u` and `v`. */
  readonly slope: readonly [number, number];
  /** One standard deviation of the depth. */
  readonly sigma: number;
  /** Whether the surface's points surround the ray. */
  readonly surroundsRay: boolean;
  /** Whether the ray passes outside of the points or through a hole, so that it may hit the surface behind. */
  readonly isAtEnd: boolean;
  /** Metres to the farthest alternative surface; 0 if there is none. */
  readonly rivalDistance: number;
}

/** Maximum distance of the ray from the outermost points of a surface that it hits, as a fraction of their spacing. */
const maxPassedFraction = 0.5;
/**
 * Maximum distance of the ray from the nearest point, beyond which it goes through a hole, as a fraction of the
 * spacing.
 */
const maxHoleFraction = 1;
/**
 * A surface with fewer points than this fraction of those of the one behind it is taken for stray points in one plane.
 */
const minSupportFraction = 0.4;
/** Points behind a surface's end may belong to the surface within this distance. */
const maxBehindMetres = 0.05;
/** The maximum number of points that are compared, because scan density varies. */
const maxSupportPoints = 20;
/** Minimum fraction of points of one face of a convex edge that are behind the plane of the other face. */
const minBehindFraction = 0.75;
/**
 * Points within this multiple of the spacing test the fit of a surface. Points farther off than `maxMisfitMetres` are
 * strays or another surface.
 */
const misfitFactor = 1.5;
const maxMisfitMetres = 0.035;
/** Standard deviation as a multiple of the mean absolute deviation, in a normal distribution. */
const sigmaOfMeanAbsolute = 1.25;

/**
 * Finds the first surface that a ray hits among noisy points with strays (see `findPointsNearRay`). It is curved if the
 * points show a curve. Undefined if there is none.
 */
export function findSurfaceOnRay(points: readonly NearPoint[], ray: Pick<Ray, 'aperture'>): SurfaceOnRay | undefined {
  const { planes: candidates, points: allPoints, tolerance } = findPlanesNearRay(points, ray);
  const planes = assignPoints(candidates).sort((a, b) => a.depth - b.depth);
  const hit =
    planes.find((plane, k) => isFirst(plane, planes.slice(k + 1), tolerance)) ??
    planes.toSorted((a, b) => b.localPoints.length - a.localPoints.length)[0];
  if (!hit) return undefined;
  const curvedFit = fitCurvedSurface(hit, allPoints, tolerance);
  const { depth, b, c, sigma } = curvedFit ?? hit;
  return {
    depth,
    slope: [b, c],
    // Two standard deviations cover the misfit.
    sigma: Math.hypot(sigma, computeMisfit({ ...hit, depth, b, c }, allPoints) / 2),
    surroundsRay: hit.surroundsRay,
    isAtEnd: isPassed(hit, maxPassedFraction / 2),
    rivalDistance: computeRivalDistance(hit, planes, curvedFit !== undefined),
  };
}

/**
 * Computes the metres to the farthest alternative surface. A surface in front is an alternative if the ray passes just
 * outside of its edge. A surface behind is an alternative if the ray meets the hit surface near its edge, and the other
 * surface is close behind or has points nearer to the ray.
 */
function computeRivalDistance(hit: SeenPlane, planes: readonly SeenPlane[], isCurved: boolean): number {
  const isNearEdge = isPassed(hit, maxPassedFraction / 2);
  // A pipe is too thin to have points on all sides of the ray, so it needs a wider limit.
  const isCloseBehindPossible = isCurved ? isPassed(hit, maxPassedFraction) : isNearEdge;
  return Math.max(
    0,
    ...planes.flatMap((otherPlane) => {
      const metresBehind = otherPlane.depth - hit.depth;
      if (metresBehind < 0) return isPassed(otherPlane, maxPassedFraction) ? [-metresBehind] : [];
      return (isCloseBehindPossible && metresBehind <= maxBehindMetres) ||
        (isNearEdge && otherPlane.surroundsRay && otherPlane.nearestRadians < hit.nearestRadians)
        ? [metresBehind]
        : [];
    }),
  );
}

/**
 * Computes by how many metres along the ray the points next to it deviate from the surface beyond their scatter. This
 * detects small convex edges, where one plane passes through both faces.
 */
function computeMisfit(hit: SeenPlane, points: readonly Neighbour[]): number {
  const radius = misfitFactor * hit.spacing;
  let [weights, squares, sum] = [0, 0, 0];
  for (const point of points) {
    const planeDistance = Math.abs(computePlaneDistance(hit, point));
    if (point.rayDistance > radius || planeDistance > maxMisfitMetres) continue;
    const weight = (1 - (point.rayDistance / radius) ** 2) ** 2;
    weights += weight;
    squares += weight * weight;
    sum += weight * planeDistance;
  }
  if (weights === 0) return 0;
  const misfit = (sigmaOfMeanAbsolute * sum) / weights;
  // The scatter of few points is uncertain by one over the square root of their number.
  const expected = Math.max(2 * minScatterMetres, hit.scatter) * (1 + Math.sqrt(squares) / weights);
  return misfit > expected ? Math.sqrt(misfit ** 2 - expected ** 2) * Math.sqrt(1 + hit.b ** 2 + hit.c ** 2) : 0;
}

/** Whether the ray passes a plane by more than a fraction of its spacing, or goes through a hole. */
const isPassed = ({ surroundsRay, overshoot, nearestMetres, spacing }: SeenPlane, fraction: number): boolean =>
  surroundsRay || overshoot <= 0 ? nearestMetres > maxHoleFraction * spacing : overshoot > fraction * spacing;

/** Assigns each point to its nearest plane. Returns the planes with enough points of their own. */
function assignPoints(planes: readonly SeenPlane[]): SeenPlane[] {
  const assignedPoints = new Set<Neighbour>();
  const distinct: SeenPlane[] = [];
  for (const plane of planes.toSorted((a, b) => b.localPoints.length - a.localPoints.length)) {
    const unassignedPoints = plane.localPoints.filter((point) => !assignedPoints.has(point));
    if (unassignedPoints.length < minPointsAround || unassignedPoints.length < plane.localPoints.length / 2) continue;
    distinct.push(plane);
    for (const point of unassignedPoints) assignedPoints.add(point);
  }
  const claimedPoints = distinct.map(({ localPoints }) => new Set(localPoints));
  return distinct.flatMap((plane) => {
    const localPoints = plane.localPoints.filter((point) =>
      distinct.every(
        (other, k) =>
          !claimedPoints[k]?.has(point) ||
          Math.abs(computePlaneDistance(other, point)) >= Math.abs(computePlaneDistance(plane, point)),
      ),
    );
    if (localPoints.length < minPointsAround) return [];
    const distribution = describeDistribution(localPoints, plane.spacing, plane.depth);
    return isHit(distribution, plane.maxSpacing) ? [{ ...plane, ...distribution, localPoints }] : [];
  });
}

/** Whether the ray hits a plane before the planes behind it. */
function isFirst(plane: SeenPlane, planesBehind: readonly SeenPlane[], tolerance: number): boolean {
  if (
    isPassed(plane, maxPassedFraction) &&
    planesBehind.some(({ surroundsRay, nearestRadians }) => surroundsRay && nearestRadians < plane.nearestRadians)
  )
    return false;
  if (
    planesBehind.some(
      ({ localPoints }) =>
        Math.min(maxSupportPoints, localPoints.length) * minSupportFraction > plane.localPoints.length,
    )
  )
    return false;
  return !planesBehind.some(
    (otherPlane) =>
      (otherPlane.surroundsRay || otherPlane.overshoot <= maxPassedFraction * otherPlane.spacing) &&
      otherPlane.localPoints.length >= Math.min(maxSupportPoints, plane.localPoints.length) * minSupportFraction &&
      isConvexEdge(plane, otherPlane, tolerance),
  );
}

/** Whether two faces form a convex edge. Each is behind the plane of the other, so the ray hits the farther plane. */
function isConvexEdge(face: SeenPlane, otherFace: SeenPlane, tolerance: number): boolean {
  const computeFractionBehind = ({ localPoints }: SeenPlane, plane: SeenPlane): number => {
    const distances = localPoints
      .map((point) => computePlaneDistance(plane, point))
      .filter((distance) => Math.abs(distance) > tolerance / 2);
    return distances.length === 0 ? 0 : distances.filter((distance) => distance > 0).length / distances.length;
  };
  return (
    computeFractionBehind(face, otherFace) > minBehindFraction &&
    computeFractionBehind(otherFace, face) > minBehindFraction
  );
}
