import { bentPlane } from './bent-plane.ts';
import {
  distanceTo,
  fewestAround,
  isMet,
  placeOf,
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
const leastSupport = 0.3;
/** Metres behind the end of a surface that its points may as well lie on. */
const closeBehind = 0.05;
/** More points of it are no stronger a sign: one surface is scanned more densely than another. */
const mostSupport = 20;
/** Of the points of one face of an edge that juts out so many lie behind the plane of the other. */
const mostBehind = 0.75;

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
  return { depth, slope: [b, c], sigma, enclosed: met.enclosed, rival: rivalOf(met, own, bent !== undefined) };
}

/**
 * A surface in front may be meant if the ray passes its end; one close behind, if the ray meets only an end. Surfaces
 * far behind were compared with that end before, and rejected.
 */
function rivalOf(met: SeenPlane, own: readonly SeenPlane[], isBent: boolean): number {
  // A pipe is too thin to have points all around the ray.
  const isEnd = isDoubtful(met, isBent ? passed : passed / 2);
  return Math.max(
    0,
    ...own.flatMap((other) => {
      const behind = other.depth - met.depth;
      if (behind < 0) return isDoubtful(other, passed) ? [-behind] : [];
      return isEnd && behind <= closeBehind ? [behind] : [];
    }),
  );
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
    if (fresh.length < fewestAround || fresh.length < plane.local.length / 2) continue;
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
    if (local.length < fewestAround) return [];
    const place = placeOf(local, plane.spacing, plane.depth);
    return isMet(place, plane.loose) ? [{ ...plane, ...place, local }] : [];
  });
}

/** Whether the ray meets a plane before those behind it. */
function isFirst(plane: SeenPlane, behind: readonly SeenPlane[], onPlane: number): boolean {
  if (isDoubtful(plane, passed) && behind.some(({ enclosed, nearest }) => enclosed && nearest < plane.nearest))
    return false;
  if (behind.some(({ local }) => Math.min(mostSupport, local.length) * leastSupport > plane.local.length)) return false;
  return !behind.some(
    (other) => (other.enclosed || other.over <= passed * other.spacing) && isEdge(plane, other, onPlane),
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
  return behind(one, other) > mostBehind && behind(other, one) > mostBehind;
}
