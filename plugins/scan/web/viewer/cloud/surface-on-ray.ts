import { bentPlane } from './bent-plane.ts';
import {
  distanceTo,
  minPointsAround,
  isMet,
  minScatter,
  toPlace,
  planesNearRay,
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
  /** The surface's points surround the ray. */
  readonly enclosed: boolean;
  /** The ray passes outside of the points or through a hole, so it may have met the surface behind. */
  readonly end: boolean;
  /** Metres to the farthest alternative surface; 0 if there is none. */
  readonly rival: number;
}

/**
 * A surface ends if the ray passes it, or a hole in it, by more than this share of its spacing and a surface behind has
 * points nearer to the ray.
 */
const [passed, hole] = [0.5, 1] as const;
/** A surface with this share of the points of the one behind it consists of coplanar strays. */
const minSupport = 0.4;
/** Metres behind a surface's end within which points may belong to it. */
const closeBehind = 0.05;
/** Maximum number of points that count as evidence, because scan density varies. */
const maxSupport = 20;
/** Share of points of one face of a convex edge that must be behind the plane of the other face. */
const maxBehind = 0.75;
/**
 * Points within this multiple of the spacing test the fit of a surface. Beyond this distance in metres they are strays
 * or another surface.
 */
const misfitReach = 1.5;
const maxMisfitMetres = 0.035;
/** One standard deviation of normal values as a multiple of their mean absolute value. */
const sigmaOfMeanAbsolute = 1.25;

/**
 * Finds the first surface that a ray meets among noisy points with strays (see `pointsNearRay`), curved if the points
 * show it. Undefined if there is none.
 */
export function surfaceOnRay(points: readonly NearPoint[], ray: Pick<Ray, 'aperture'>): SurfaceOnRay | undefined {
  const { planes, points: all, onPlane } = planesNearRay(points, ray);
  const own = shared(planes).sort((a, b) => a.depth - b.depth);
  const hit =
    own.find((plane, k) => isFirst(plane, own.slice(k + 1), onPlane)) ??
    own.toSorted((a, b) => b.local.length - a.local.length)[0];
  if (!hit) return undefined;
  const bent = bentPlane(hit, all, onPlane);
  const { depth, b, c, sigma } = bent ?? hit;
  return {
    depth,
    slope: [b, c],
    // Two standard deviations cover the points that the surface misses.
    sigma: Math.hypot(sigma, computeMisfit({ ...hit, depth, b, c }, all) / 2),
    enclosed: hit.enclosed,
    end: isDoubtful(hit, passed / 2),
    rival: computeRivalDistance(hit, own, bent !== undefined),
  };
}

/**
 * A surface in front is an alternative if the ray passes its end, a close one behind if the ray only meets an end.
 * Surfaces far behind were rejected before, unless they have points nearer to the ray.
 */
function computeRivalDistance(hit: SeenPlane, own: readonly SeenPlane[], isBent: boolean): number {
  const isEnd = isDoubtful(hit, passed / 2);
  // A pipe is too thin to have points on all sides of the ray.
  const isBentEnd = isBent ? isDoubtful(hit, passed) : isEnd;
  return Math.max(
    0,
    ...own.flatMap((other) => {
      const behind = other.depth - hit.depth;
      if (behind < 0) return isDoubtful(other, passed) ? [-behind] : [];
      return (isBentEnd && behind <= closeBehind) || (isEnd && other.enclosed && other.nearest < hit.nearest)
        ? [behind]
        : [];
    }),
  );
}

/**
 * Metres along the ray by which the points next to it are off the surface beyond their scatter. This shows small convex
 * edges, where one plane passes through both faces.
 */
function computeMisfit(hit: SeenPlane, points: readonly Neighbour[]): number {
  const reach = misfitReach * hit.spacing;
  let [weights, squares, offs] = [0, 0, 0];
  for (const point of points) {
    const off = Math.abs(distanceTo(hit, point));
    if (point.off > reach || off > maxMisfitMetres) continue;
    const weight = (1 - (point.off / reach) ** 2) ** 2;
    weights += weight;
    squares += weight * weight;
    offs += weight * off;
  }
  if (weights === 0) return 0;
  const misfit = (sigmaOfMeanAbsolute * offs) / weights;
  // The scatter of few points is uncertain by one over the square root of their number.
  const expected = Math.max(2 * minScatter, hit.scatter) * (1 + Math.sqrt(squares) / weights);
  return misfit > expected ? Math.sqrt(misfit ** 2 - expected ** 2) * Math.sqrt(1 + hit.b ** 2 + hit.c ** 2) : 0;
}

/** Whether the ray passes a plane by more than a share of its spacing, or goes through a hole. */
const isDoubtful = ({ enclosed, over, first, spacing }: SeenPlane, share: number): boolean =>
  enclosed || over <= 0 ? first > hole * spacing : over > share * spacing;

/** Returns the planes that have points of their own. A point on several planes belongs to the nearest one. */
function shared(planes: readonly SeenPlane[]): SeenPlane[] {
  const taken = new Set<Neighbour>();
  const distinct: SeenPlane[] = [];
  for (const plane of planes.toSorted((a, b) => b.local.length - a.local.length)) {
    const fresh = plane.local.filter((point) => !taken.has(point));
    if (fresh.length < minPointsAround || fresh.length < plane.local.length / 2) continue;
    distinct.push(plane);
    for (const point of fresh) taken.add(point);
  }
  const claims = distinct.map(({ local }) => new Set(local));
  return distinct.flatMap((plane) => {
    const local = plane.local.filter((point) =>
      distinct.every(
        (other, k) =>
          !claims[k]?.has(point) || Math.abs(distanceTo(other, point)) >= Math.abs(distanceTo(plane, point)),
      ),
    );
    if (local.length < minPointsAround) return [];
    const place = toPlace(local, plane.spacing, plane.depth);
    return isMet(place, plane.loose) ? [{ ...plane, ...place, local }] : [];
  });
}

/** Whether the ray meets a plane before those behind it. */
function isFirst(plane: SeenPlane, behind: readonly SeenPlane[], onPlane: number): boolean {
  if (isDoubtful(plane, passed) && behind.some(({ enclosed, nearest }) => enclosed && nearest < plane.nearest))
    return false;
  if (behind.some(({ local }) => Math.min(maxSupport, local.length) * minSupport > plane.local.length)) return false;
  return !behind.some(
    (other) =>
      (other.enclosed || other.over <= passed * other.spacing) &&
      other.local.length >= Math.min(maxSupport, plane.local.length) * minSupport &&
      isEdge(plane, other, onPlane),
  );
}

/** Whether two faces form a convex edge: each is behind the plane of the other, so the ray meets the farther plane. */
function isEdge(one: SeenPlane, other: SeenPlane, onPlane: number): boolean {
  const behind = ({ local }: SeenPlane, plane: SeenPlane): number => {
    const off = local.map((point) => distanceTo(plane, point)).filter((distance) => Math.abs(distance) > onPlane / 2);
    return off.length === 0 ? 0 : off.filter((distance) => distance > 0).length / off.length;
  };
  return behind(one, other) > maxBehind && behind(other, one) > maxBehind;
}
