import {
  perpendicularAxes,
  crossProduct,
  degrees,
  dotProduct,
  vectorLength,
  minus,
  Moments,
  plus,
  times,
  unitVector,
  type Point3,
} from '#core';
import { circleThrough } from './circle.ts';
import type { Facet, FacetedSurface } from './mesh-facets.ts';
import { distancesTo, refineCylinder, type Cylinder } from './refine-cylinder.ts';

/** The cylinder that contains the corners of a tessellated pipe. */
export interface FacetedCylinder extends Cylinder {
  /** Root mean square distance of the corners, metres. */
  readonly rms: number;
  /** One standard deviation of the radius, metres, from the scatter of the corners. */
  readonly radiusSigma: number;
  /** Degrees of the circumference that its facets cover. */
  readonly arc: number;
  /** Number of facets around the axis. */
  readonly sides: number;
  /** Number of fitted corners. */
  readonly count: number;
  /** Extent along the axis, metres. */
  readonly length: number;
  /** Lower and upper quartile of the facets' angular widths, radians. */
  readonly narrowest: number;
  readonly widest: number;
}

const maxRadius = 6;
/** Sine of the largest angle between a facet and the axis: 8 degrees. */
const maxLean = 0.14;
/** Sine of the smallest angle between two facets that define an axis: 4 degrees. */
const minCrossing = 0.07;
/** Metres, and share of the radius, by which a corner may miss a rough cylinder and a fitted one. */
const rough = { metres: 0.001, share: 0.01 } as const;
const fitted = { metres: 0.0006, share: 0.002, spreads: 3 } as const;
/** Smallest width of a side, in tolerances. A narrower side is one duplicated corner. */
const minSpans = 2;
const rounds = 3;
/** Number of facets that create candidates, and number that score them. */
const [leading, partners, weighed] = [6, 24, 400] as const;
const finalists = 4;
const minSides = 3;
const minCorners = 4;
/** Radians: the side of a square is wider. */
const maxTurn = 1.1;
const binRadians = Math.PI / 180;

/**
 * Fits the cylinder through the corners of the facets around the hit one: axes from pairs of facets and from the spread
 * of their directions, a circle across each, the best refined by all corners near it. Undefined for fewer than three
 * facets.
 */
export function fitFacets(surface: FacetedSurface): FacetedCylinder | undefined {
  const start = surface.facets[0]?.places[0];
  const origin = start === undefined ? undefined : surface.places[start];
  if (!origin || surface.facets.length < minSides) return undefined;
  const local: FacetedSurface = { ...surface, places: surface.places.map((place) => minus(place, origin)) };
  const near = findNearest(local, weighed);
  const found = findCandidates(near)
    .map((cylinder) => ({ cylinder, covered: computeCover(near, cylinder, computeTolerance(cylinder, rough)).bins }))
    .filter(({ covered }) => covered > 0)
    .toSorted((a, b) => b.covered - a.covered)
    .slice(0, finalists)
    .flatMap(({ cylinder }) => refined(local, cylinder) ?? [])
    .toSorted((a, b) => b.arc - a.arc || a.rms - b.rms)[0];
  return found && { ...found, centre: plus(found.centre, origin) };
}

/** The first facets up to a count, with only their own places. */
function findNearest({ facets, places, isCorner }: FacetedSurface, count: number): FacetedSurface {
  const own = facets.slice(0, count);
  const kept = [...new Set(own.flatMap((facet) => facet.places))];
  const indices = new Map(kept.map((place, index) => [place, index]));
  return {
    places: kept.flatMap((place) => (places[place] ? [places[place]] : [])),
    isCorner: kept.map((place) => isCorner[place] ?? false),
    facets: own.map((facet) => ({ ...facet, places: facet.places.map((place) => indices.get(place) ?? 0) })),
  };
}

function findCandidates({ facets, places, isCorner }: FacetedSurface): readonly Cylinder[] {
  const found: Cylinder[] = [];
  const consider = (axis: Point3, own: readonly Facet[]): void => {
    const corners = own.flatMap((facet) => facet.places.filter((place) => isCorner[place]));
    const cylinder = aroundAxis(
      axis,
      [...new Set(corners)].flatMap((place) => (places[place] ? [places[place]] : [])),
    );
    if (cylinder && cylinder.radius < maxRadius) found.push(cylinder);
  };
  for (const [k, one] of facets.slice(0, leading).entries())
    for (const other of facets.slice(k + 1, partners)) {
      const axis = crossProduct(one.normal, other.normal);
      if (vectorLength(axis) >= minCrossing) consider(unitVector(axis), [one, other]);
    }
  for (const count of [leading, partners, weighed]) {
    const own = facets.slice(0, count);
    consider(commonAxis(own), own);
  }
  return found;
}

/** The direction that most of the facets are parallel to. */
function commonAxis(facets: readonly Facet[]): Point3 {
  const moments = new Moments();
  for (const { normal, area } of facets) moments.add(...normal, area);
  return moments.aboutOrigin().vectors[0];
}

function aroundAxis(axis: Point3, points: readonly Point3[]): Cylinder | undefined {
  const [u, v] = perpendicularAxes(axis);
  const circle = circleThrough(
    Float64Array.from(points.flatMap((point) => [dotProduct(point, u), dotProduct(point, v)])),
  );
  return circle && { axis, centre: plus(times(u, circle.x), times(v, circle.y)), radius: circle.radius };
}

const computeTolerance = (
  { radius }: Cylinder,
  { metres, share }: { readonly metres: number; readonly share: number },
) => Math.max(metres, share * radius);

interface Cover {
  /** Connected facets, starting at the hit one. */
  readonly facets: readonly Facet[];
  /** Angular width of each facet, radians. */
  readonly widths: readonly number[];
  /** Corners on the cylinder. */
  readonly corners: ReadonlySet<number>;
  /** Degrees of the circumference. */
  readonly bins: number;
}

const nothing: Cover = { facets: [], widths: [], corners: new Set(), bins: 0 };

/** The facets that a cylinder explains. Empty if the hit facet is not among them. */
function computeCover({ facets, places, isCorner }: FacetedSurface, cylinder: Cylinder, tolerance: number): Cover {
  const [u, v] = perpendicularAxes(cylinder.axis);
  const from = places.map((place) => minus(place, cylinder.centre));
  const angles = from.map((way) => Math.atan2(dotProduct(way, v), dotProduct(way, u)));
  const off = from.map((way) => Math.hypot(dotProduct(way, u), dotProduct(way, v)) - cylinder.radius);
  const corners = new Set<number>();
  const bins = new Set<number>();
  const own: Facet[] = [];
  const widths: number[] = [];
  const touched = new Set<number>();
  // Facets are ordered by adjacency.
  for (const [k, facet] of facets.entries()) {
    if (k > 0 && !facet.places.some((place) => touched.has(place))) continue;
    const turned = computeTurns(facet, off, angles, isCorner, tolerance);
    if (
      !turned ||
      turned.width * cylinder.radius < minSpans * tolerance ||
      Math.abs(dotProduct(facet.normal, cylinder.axis)) > maxLean
    ) {
      if (k === 0) return nothing;
      continue;
    }
    own.push(facet);
    widths.push(turned.width);
    for (const place of facet.places) {
      touched.add(place);
      if (isCorner[place] && Math.abs(off[place] ?? Infinity) <= tolerance) corners.add(place);
    }
    for (let turn = turned.from; turn < turned.from + turned.width; turn += binRadians)
      bins.add(Math.floor((((turn + 3 * Math.PI) % (2 * Math.PI)) + 1e-9) / binRadians));
  }
  return { facets: own, widths, corners, bins: bins.size };
}

/** Start and width of a facet around the axis. Undefined if it is no facet of the cylinder. */
function computeTurns(
  { places }: Facet,
  off: readonly number[],
  angles: readonly number[],
  isCorner: readonly boolean[],
  tolerance: number,
): { readonly from: number; readonly width: number } | undefined {
  const onCircle = places.filter((place) => isCorner[place] && Math.abs(off[place] ?? Infinity) <= tolerance);
  const [first] = onCircle;
  if (first === undefined || places.some((place) => (off[place] ?? Infinity) > tolerance)) return undefined;
  const turns = onCircle.map((place) => {
    const turn = (angles[place] ?? 0) - (angles[first] ?? 0);
    return turn - 2 * Math.PI * Math.round(turn / (2 * Math.PI));
  });
  const [least, most] = [Math.min(...turns), Math.max(...turns)];
  return most - least > maxTurn ? undefined : { from: (angles[first] ?? 0) + least, width: most - least };
}

function refined(surface: FacetedSurface, start: Cylinder): FacetedCylinder | undefined {
  let cylinder = start;
  let tolerance = computeTolerance(start, rough);
  let cover = computeCover(surface, cylinder, tolerance);
  let radiusSigma = 0;
  for (let round = 0; round < rounds; round += 1) {
    const points = Float64Array.from([...cover.corners].flatMap((place) => surface.places[place] ?? []));
    const next = cover.corners.size >= minCorners ? refineCylinder(cylinder, points) : undefined;
    if (!next || next.radius > maxRadius) return undefined;
    cylinder = next;
    ({ radiusSigma } = next);
    tolerance = Math.max(computeTolerance(next, fitted), fitted.spreads * next.spread);
    cover = computeCover(surface, cylinder, tolerance);
  }
  return described(surface, cylinder, cover, radiusSigma);
}

function described(
  { places }: FacetedSurface,
  cylinder: Cylinder,
  cover: Cover,
  radiusSigma: number,
): FacetedCylinder | undefined {
  const corners = [...cover.corners].flatMap((place) => (places[place] ? [places[place]] : []));
  const distances = distancesTo(cylinder, Float64Array.from(corners.flat()));
  const sorted = cover.widths.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const sides = Math.round((cover.bins * binRadians) / Math.max(at(0.5), binRadians));
  if (cover.facets.length < minSides || sides < minSides || corners.length < minCorners) return undefined;
  const along = corners.map((corner) => dotProduct(corner, cylinder.axis));
  return {
    ...cylinder,
    rms: Math.sqrt(distances.reduce((sum, distance) => sum + distance * distance, 0) / corners.length),
    radiusSigma,
    arc: Math.min(360, degrees(cover.bins * binRadians)),
    sides,
    count: corners.length,
    length: Math.max(...along) - Math.min(...along),
    narrowest: at(0.25),
    widest: at(0.75),
  };
}
