import {
  perpendicularAxes,
  crossProduct,
  toDegrees,
  dotProduct,
  vectorLength,
  minus,
  Moments,
  plus,
  times,
  unitVector,
  type Point3,
} from '#core';
import { fitCircle } from './circle.ts';
import type { Facet, FacetedSurface } from './mesh-facets.ts';
import { computeDistances, refineCylinder, type Cylinder } from './refine-cylinder.ts';

/** The cylinder that contains the corners of a tessellated pipe. */
export interface FacetedCylinder extends Cylinder {
  /** Root mean square distance of the corners, metres. */
  readonly rms: number;
  /** One standard deviation of the radius in metres, computed from the scatter of the corners. */
  readonly radiusSigma: number;
  /** Degrees of the circumference that its facets cover. */
  readonly arc: number;
  /** Number of facets around the axis. */
  readonly sides: number;
  /** Number of fitted corners. */
  readonly count: number;
  /** Extent along the axis, metres. */
  readonly length: number;
  /** Lower quartile of the facets' angular widths, radians. */
  readonly lowerWidth: number;
  /** Upper quartile of the facets' angular widths, radians. */
  readonly upperWidth: number;
}

const maxRadius = 6;
/** Sine of 8 degrees, the largest angle between a facet and the axis. */
const maxLeanSine = 0.14;
/** Sine of 4 degrees, the smallest angle between two facets that define an axis. */
const minCrossing = 0.07;
/** Metres and fraction of the radius by which a corner may miss a candidate. */
const candidateTolerance = { metres: 0.001, fraction: 0.01 } as const;
/** The same for a refined cylinder, and the limit as a multiple of the spread. */
const refinedTolerance = { metres: 0.0006, fraction: 0.002, spreads: 3 } as const;
/** Smallest width of a side as a multiple of the tolerance. A narrower side is a duplicated corner. */
const minWidthFactor = 2;
const refineRounds = 3;
/** A candidate comes from one of the first `maxLeading` facets and one of the first `maxPartners` facets. */
const [maxLeading, maxPartners] = [6, 24] as const;
/** Number of facets used to score candidates. */
const maxScored = 400;
const maxCandidates = 4;
const minSides = 3;
const minCorners = 4;
/** Largest angular width of a side in radians. The side of a square is wider. */
const maxSideRadians = 1.1;
const binRadians = Math.PI / 180;

/**
 * Fits the cylinder through the corners of the facets around the hit facet. Candidate axes come from pairs of facets
 * and from the spread of their directions. Each axis gets a circle, and the best cylinders are refined by all corners
 * near them. Undefined for fewer than three facets.
 */
export function fitFacets(surface: FacetedSurface): FacetedCylinder | undefined {
  const start = surface.facets[0]?.vertices[0];
  const origin = start === undefined ? undefined : surface.vertices[start];
  if (!origin || surface.facets.length < minSides) return undefined;
  const local: FacetedSurface = { ...surface, vertices: surface.vertices.map((vertex) => minus(vertex, origin)) };
  const nearSurface = keepFirstFacets(local, maxScored);
  const bestCylinder = findCandidates(nearSurface)
    .map((cylinder) => ({
      cylinder,
      coveredDegrees: computeCover(nearSurface, cylinder, computeTolerance(cylinder, candidateTolerance))
        .coveredDegrees,
    }))
    .filter(({ coveredDegrees }) => coveredDegrees > 0)
    .toSorted((a, b) => b.coveredDegrees - a.coveredDegrees)
    .slice(0, maxCandidates)
    .flatMap(({ cylinder }) => refineCandidate(local, cylinder) ?? [])
    .toSorted((a, b) => b.arc - a.arc || a.rms - b.rms)[0];
  return bestCylinder && { ...bestCylinder, centre: plus(bestCylinder.centre, origin) };
}

/** Returns the first facets up to a count, with only their own vertices. */
function keepFirstFacets({ facets, vertices, isCorner }: FacetedSurface, count: number): FacetedSurface {
  const firstFacets = facets.slice(0, count);
  const usedVertices = [...new Set(firstFacets.flatMap((facet) => facet.vertices))];
  const indices = new Map(usedVertices.map((vertex, index) => [vertex, index]));
  return {
    vertices: usedVertices.flatMap((vertex) => (vertices[vertex] ? [vertices[vertex]] : [])),
    isCorner: usedVertices.map((vertex) => isCorner[vertex] ?? false),
    facets: firstFacets.map((facet) => ({
      ...facet,
      vertices: facet.vertices.map((vertex) => indices.get(vertex) ?? 0),
    })),
  };
}

function findCandidates({ facets, vertices, isCorner }: FacetedSurface): readonly Cylinder[] {
  const candidates: Cylinder[] = [];
  const addCandidate = (axis: Point3, candidateFacets: readonly Facet[]): void => {
    const corners = candidateFacets.flatMap((facet) => facet.vertices.filter((vertex) => isCorner[vertex]));
    const cylinder = fitAroundAxis(
      axis,
      [...new Set(corners)].flatMap((vertex) => (vertices[vertex] ? [vertices[vertex]] : [])),
    );
    if (cylinder && cylinder.radius < maxRadius) candidates.push(cylinder);
  };
  for (const [k, first] of facets.slice(0, maxLeading).entries())
    for (const secondFacet of facets.slice(k + 1, maxPartners)) {
      const axis = crossProduct(first.normal, secondFacet.normal);
      if (vectorLength(axis) >= minCrossing) addCandidate(unitVector(axis), [first, secondFacet]);
    }
  for (const count of [maxLeading, maxPartners, maxScored]) {
    const candidateFacets = facets.slice(0, count);
    addCandidate(computeCommonAxis(candidateFacets), candidateFacets);
  }
  return candidates;
}

/** Computes the direction to which most of the facets are parallel. */
function computeCommonAxis(facets: readonly Facet[]): Point3 {
  const moments = new Moments();
  for (const { normal, area } of facets) moments.add(...normal, area);
  return moments.computeAxesAboutOrigin().vectors[0];
}

function fitAroundAxis(axis: Point3, points: readonly Point3[]): Cylinder | undefined {
  const [u, v] = perpendicularAxes(axis);
  const circle = fitCircle(Float64Array.from(points.flatMap((point) => [dotProduct(point, u), dotProduct(point, v)])));
  return circle && { axis, centre: plus(times(u, circle.x), times(v, circle.y)), radius: circle.radius };
}

const computeTolerance = (
  { radius }: Cylinder,
  { metres, fraction }: { readonly metres: number; readonly fraction: number },
) => Math.max(metres, fraction * radius);

interface CylinderCover {
  /** Connected facets, starting at the hit facet. */
  readonly facets: readonly Facet[];
  /** Angular width of each facet, radians. */
  readonly widths: readonly number[];
  /** Corners on the cylinder. */
  readonly corners: ReadonlySet<number>;
  /** Degrees of the circumference. */
  readonly coveredDegrees: number;
}

const emptyCover: CylinderCover = { facets: [], widths: [], corners: new Set(), coveredDegrees: 0 };

/** Finds the facets that lie on a cylinder. Empty if the hit facet is not among them. */
function computeCover(
  { facets, vertices, isCorner }: FacetedSurface,
  cylinder: Cylinder,
  tolerance: number,
): CylinderCover {
  const [u, v] = perpendicularAxes(cylinder.axis);
  const offsets = vertices.map((vertex) => minus(vertex, cylinder.centre));
  const angles = offsets.map((offset) => Math.atan2(dotProduct(offset, v), dotProduct(offset, u)));
  const radialErrors = offsets.map(
    (offset) => Math.hypot(dotProduct(offset, u), dotProduct(offset, v)) - cylinder.radius,
  );
  const corners = new Set<number>();
  const coveredBins = new Set<number>();
  const coveredFacets: Facet[] = [];
  const widths: number[] = [];
  const connectedVertices = new Set<number>();
  // Facets are in breadth-first order, so each one follows a neighbour.
  for (const [k, facet] of facets.entries()) {
    if (k > 0 && !facet.vertices.some((vertex) => connectedVertices.has(vertex))) continue;
    const span = computeSpan(facet, radialErrors, angles, isCorner, tolerance);
    if (
      !span ||
      span.width * cylinder.radius < minWidthFactor * tolerance ||
      Math.abs(dotProduct(facet.normal, cylinder.axis)) > maxLeanSine
    ) {
      if (k === 0) return emptyCover;
      continue;
    }
    coveredFacets.push(facet);
    widths.push(span.width);
    for (const vertex of facet.vertices) {
      connectedVertices.add(vertex);
      if (isCorner[vertex] && Math.abs(radialErrors[vertex] ?? Infinity) <= tolerance) corners.add(vertex);
    }
    for (let angle = span.start; angle < span.start + span.width; angle += binRadians)
      coveredBins.add(Math.floor((((angle + 3 * Math.PI) % (2 * Math.PI)) + 1e-9) / binRadians));
  }
  return { facets: coveredFacets, widths, corners, coveredDegrees: coveredBins.size };
}

/** Computes the start and the width of a facet around the axis, in radians. Undefined if it is not on the cylinder. */
function computeSpan(
  { vertices }: Facet,
  radialErrors: readonly number[],
  angles: readonly number[],
  isCorner: readonly boolean[],
  tolerance: number,
): { readonly start: number; readonly width: number } | undefined {
  const onCircle = vertices.filter(
    (vertex) => isCorner[vertex] && Math.abs(radialErrors[vertex] ?? Infinity) <= tolerance,
  );
  const [first] = onCircle;
  if (first === undefined || vertices.some((vertex) => (radialErrors[vertex] ?? Infinity) > tolerance))
    return undefined;
  const relativeAngles = onCircle.map((vertex) => {
    const relativeAngle = (angles[vertex] ?? 0) - (angles[first] ?? 0);
    return relativeAngle - 2 * Math.PI * Math.round(relativeAngle / (2 * Math.PI));
  });
  const [min, max] = [Math.min(...relativeAngles), Math.max(...relativeAngles)];
  return max - min > maxSideRadians ? undefined : { start: (angles[first] ?? 0) + min, width: max - min };
}

function refineCandidate(surface: FacetedSurface, start: Cylinder): FacetedCylinder | undefined {
  let cylinder = start;
  let tolerance = computeTolerance(start, candidateTolerance);
  let cover = computeCover(surface, cylinder, tolerance);
  let radiusSigma = 0;
  for (let round = 0; round < refineRounds; round += 1) {
    const points = Float64Array.from([...cover.corners].flatMap((vertex) => surface.vertices[vertex] ?? []));
    const next = cover.corners.size >= minCorners ? refineCylinder(cylinder, points) : undefined;
    if (!next || next.radius > maxRadius) return undefined;
    cylinder = next;
    ({ radiusSigma } = next);
    tolerance = Math.max(computeTolerance(next, refinedTolerance), refinedTolerance.spreads * next.spread);
    cover = computeCover(surface, cylinder, tolerance);
  }
  return describeFit(surface, cylinder, cover, radiusSigma);
}

function describeFit(
  { vertices }: FacetedSurface,
  cylinder: Cylinder,
  cover: CylinderCover,
  radiusSigma: number,
): FacetedCylinder | undefined {
  const corners = [...cover.corners].flatMap((vertex) => (vertices[vertex] ? [vertices[vertex]] : []));
  const distances = computeDistances(cylinder, Float64Array.from(corners.flat()));
  const sortedWidths = cover.widths.toSorted((a, b) => a - b);
  const getQuantile = (fraction: number): number => sortedWidths[Math.floor(fraction * (sortedWidths.length - 1))] ?? 0;
  const sides = Math.round((cover.coveredDegrees * binRadians) / Math.max(getQuantile(0.5), binRadians));
  if (cover.facets.length < minSides || sides < minSides || corners.length < minCorners) return undefined;
  const along = corners.map((corner) => dotProduct(corner, cylinder.axis));
  return {
    ...cylinder,
    rms: Math.sqrt(distances.reduce((sum, distance) => sum + distance * distance, 0) / corners.length),
    radiusSigma,
    arc: Math.min(360, toDegrees(cover.coveredDegrees * binRadians)),
    sides,
    count: corners.length,
    length: Math.max(...along) - Math.min(...along),
    lowerWidth: getQuantile(0.25),
    upperWidth: getQuantile(0.75),
  };
}
