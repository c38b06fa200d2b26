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

/** Where a ray meets a surface, in the ray's frame; metres. */
export interface SurfaceOnRay {
  readonly depth: number;
  /** By how much the surface goes away for a metre across the ray, along `u` and `v`. */
  readonly slope: readonly [number, number];
  /** One standard deviation of the depth. */
  readonly sigma: number;
  /** The surface's points lie all around the ray. */
  readonly enclosed: boolean;
  /** The ray passes so far beside its points, or through such a hole, that it may have met what lies behind. */
  readonly end: boolean;
  /** Metres to the farthest other surface that the ray may have met instead; 0 where there is none. */
  readonly rival: number;
}

/**
 * Passed by more than this share of the way between its points, a surface is over where another one behind has points
 * nearer to the ray; and so is one with such a hole around the ray.
 */
const [passed, hole] = [0.5, 1] as const;
/**
 * What has so much less behind it, by points around the ray, is no surface but strays that lie on a plane by accident.
 */
const minSupport = 0.4;
/** Metres behind the end of a surface that its points may as well lie on. */
const closeBehind = 0.05;
/** More points of it are no stronger a sign: one surface is scanned more densely than another. */
const maxSupport = 20;
/** Of the points of one face of an edge that juts out so many lie behind the plane of the other. */
const maxBehind = 0.75;
/**
 * Points this near to the ray, as a multiple of the way between points, tell whether a surface fits there; farther off
 * it than so many metres they are strays or another surface.
 */
const misfitReach = 1.5;
const maxMisfitMetres = 0.035;
/** One standard deviation of normal values, as a multiple of their mean absolute value. */
const sigmaOfMeanAbsolute = 1.25;

/**
 * The first surface that a ray meets among scattered points with noise and strays (as `pointsNearRay` gives them), bent
 * where the points say so. Undefined where there is none.
 */
export function surfaceOnRay(points: readonly NearPoint[], ray: Pick<Ray, 'aperture'>): SurfaceOnRay | undefined {
  const { planes, points: all, onPlane } = planesNearRay(points, ray);
  const own = shared(planes).sort((a, b) => a.depth - b.depth);
  const met =
    own.find((plane, k) => isFirst(plane, own.slice(k + 1), onPlane)) ??
    own.toSorted((a, b) => b.local.length - a.local.length)[0];
  if (!met) return undefined;
  const bent = bentPlane(met, all, onPlane);
  const { depth, b, c, sigma } = bent ?? met;
  return {
    depth,
    slope: [b, c],
    // Twice of it reaches the points that the surface misses.
    sigma: Math.hypot(sigma, computeMisfit({ ...met, depth, b, c }, all) / 2),
    enclosed: met.enclosed,
    end: isDoubtful(met, passed / 2),
    rival: computeRivalDistance(met, own, bent !== undefined),
  };
}

/**
 * A surface in front may be meant if the ray passes its end; one close behind, if the ray meets only an end. What lies
 * far behind was compared with that end before, and rejected: it may be meant if it has points nearer to the ray.
 */
function computeRivalDistance(met: SeenPlane, own: readonly SeenPlane[], isBent: boolean): number {
  const isEnd = isDoubtful(met, passed / 2);
  // A pipe is too thin to have points all around the ray.
  const isBentEnd = isBent ? isDoubtful(met, passed) : isEnd;
  return Math.max(
    0,
    ...own.flatMap((other) => {
      const behind = other.depth - met.depth;
      if (behind < 0) return isDoubtful(other, passed) ? [-behind] : [];
      return (isBentEnd && behind <= closeBehind) || (isEnd && other.enclosed && other.nearest < met.nearest)
        ? [behind]
        : [];
    }),
  );
}

/**
 * Metres along the ray by which the points next to it lie off a surface, beyond what their scatter explains: at an edge
 * that juts out by less than planes tell apart, a plane passes through both faces.
 */
function computeMisfit(met: SeenPlane, points: readonly Neighbour[]): number {
  const reach = misfitReach * met.spacing;
  let [weights, squares, offs] = [0, 0, 0];
  for (const point of points) {
    const off = Math.abs(distanceTo(met, point));
    if (point.off > reach || off > maxMisfitMetres) continue;
    const weight = (1 - (point.off / reach) ** 2) ** 2;
    weights += weight;
    squares += weight * weight;
    offs += weight * off;
  }
  if (weights === 0) return 0;
  const misfit = (sigmaOfMeanAbsolute * offs) / weights;
  // Of few points the scatter is known by its own share of one through the root of their number.
  const expected = Math.max(2 * minScatter, met.scatter) * (1 + Math.sqrt(squares) / weights);
  return misfit > expected ? Math.sqrt(misfit ** 2 - expected ** 2) * Math.sqrt(1 + met.b ** 2 + met.c ** 2) : 0;
}

/** Whether the ray passes a plane by more than a share of the way between its points, or goes through a hole of it. */
const isDoubtful = ({ enclosed, over, first, spacing }: SeenPlane, share: number): boolean =>
  enclosed || over <= 0 ? first > hole * spacing : over > share * spacing;

/** Planes that have points of their own: each point that several claim goes to the nearest of them. */
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

/**
 * Whether two faces of a thing meet in an edge that juts out: each lies behind the other's plane, and so the ray meets
 * the farther one.
 */
function isEdge(one: SeenPlane, other: SeenPlane, onPlane: number): boolean {
  const behind = ({ local }: SeenPlane, plane: SeenPlane): number => {
    const off = local.map((point) => distanceTo(plane, point)).filter((distance) => Math.abs(distance) > onPlane / 2);
    return off.length === 0 ? 0 : off.filter((distance) => distance > 0).length / off.length;
  };
  return behind(one, other) > maxBehind && behind(other, one) > maxBehind;
}
