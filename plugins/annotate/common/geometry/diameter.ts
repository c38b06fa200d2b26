import { distanceBetween, dotProduct, type Point3 } from '#core';
import { findNearestPipe, type NominalPipe } from '#core/piping';
import type { SurfaceMesh } from '#plugins/tour';
import { fitCylinder, type CylinderFit } from './fit-cylinder.ts';
import { fitFacets, type FacetedCylinder } from './fit-facets.ts';
import { toFacets, type FacetedSurface } from './mesh-facets.ts';
import type { Cylinder } from './refine-cylinder.ts';
import { computeTrueDiameter } from './tessellation.ts';

/** Why no diameter can be computed. */
export type DiameterProblem =
  /** No round surface at the pick. */
  | 'flat'
  /** Too few points: the surface is too far away, or too little of the pipe is visible. */
  | 'sparse'
  /** The points scatter too far around the best cylinder, as on an elbow, a valve or a flange. */
  | 'rough'
  /** The visible arc is too short for an accuracy of some millimetres. */
  | 'narrow';

export interface Diameter {
  readonly fit: Cylinder & Pick<CylinderFit, 'rms' | 'arc' | 'count' | 'length'>;
  /** The number of flat sides of a model. */
  readonly sides?: number;
  /** The outside diameter in metres. */
  readonly value: number;
  /** One standard deviation, metres. */
  readonly sigma: number;
  readonly nominal: NominalPipe | undefined;
}

export type DiameterResult =
  | { readonly diameter: Diameter; readonly problem?: never }
  | { readonly problem: DiameterProblem; readonly diameter?: never };

/** Limits of an accepted fit, in metres and degrees. A noisy scanner may have an rms of `rmsSigmas` times its sigma. */
const qualityLimits = {
  maxRms: 0.004,
  rmsSigmas: 3,
  minArc: 70,
  minCount: 80,
  minFraction: 0.6,
  maxDiameterSigma: 0.003,
} as const;
/**
 * Error in metres that no fit detects, such as rounded ranges, a weld or a plate. Its effect on the diameter grows as
 * the visible arc gets shorter.
 */
const systematicSigma = 0.0002;
const computeArcFactor = (arc: number): number => 2 / (1 - Math.cos(Math.min(Math.PI, (arc * Math.PI) / 360)));
const initialSearchRadius = 0.25;
const searchRadiusLimits = { min: 0.12, max: 1.6 } as const;
const maxFits = 4;
/** Standard deviation in metres above which a longer piece of the pipe is fitted. */
const longerFitSigma = 0.0008;

/** Radii in metres within which facets are searched. The next radius is used if the pipe continues beyond the first. */
const meshRadii = [0.5, 2, 6] as const;
/** Limits of the scatter of a model's corners around the cylinder: metres, fraction of the diameter, sigmas of the pick. */
const maxScatter = { metres: 0.0005, fraction: 0.001, sigmas: 1.5 } as const;
/** A surface with at least this many facets of at most this size is a scanned mesh and not a tessellated cylinder. */
const scannedMesh = { minFacets: 300, maxMetres: 0.03 } as const;
/** Cosine of 5 degrees. Facets whose directions differ by less form a flat surface. */
const minFlatCosine = 0.996;
/** Rounding of models in metres, which the fit already includes as scatter of the corners. */
const roundingSigma = 0.001;

export interface MeasureDiameterOptions {
  /** Noise of one point in metres, if known. */
  readonly sigma?: number | undefined;
  /** The common viewpoint of all points, if there is one. */
  readonly eye?: Point3 | undefined;
  /** Triangles within a radius in metres, if the surface is a mesh. */
  readonly findMesh?: ((radius: number) => Promise<SurfaceMesh | undefined>) | undefined;
}

/**
 * Fits a cylinder to the connected surface around the pick and returns its outside diameter. `findSurfacePoints`
 * returns the points within a radius in metres, which grows with the cylinder. A mesh is fitted by its corners, because
 * points between corners lie inside the true cylinder.
 */
export async function measureDiameter(
  pick: Point3,
  findSurfacePoints: (radius: number) => Promise<Float64Array>,
  { sigma = 0, eye, findMesh }: MeasureDiameterOptions = {},
): Promise<DiameterResult> {
  const facetedResult = findMesh && (await measureFaceted(findMesh, sigma));
  if (facetedResult?.result) return facetedResult.result;
  const pointResult = await measurePoints(pick, findSurfacePoints, { sigma, eye });
  const { diameter } = pointResult;
  // Between its corners a triangle lies inside the true surface, by at most the sagitta of the arc.
  return diameter && facetedResult
    ? {
        diameter: {
          ...diameter,
          sigma: Math.hypot(diameter.sigma, facetedResult.extent ** 2 / (8 * diameter.fit.radius)),
        },
      }
    : pointResult;
}

async function measurePoints(
  pick: Point3,
  findSurfacePoints: (radius: number) => Promise<Float64Array>,
  { sigma = 0, eye }: Omit<MeasureDiameterOptions, 'mesh'>,
): Promise<DiameterResult> {
  let radius = initialSearchRadius;
  let best: DiameterResult = { problem: 'flat' };
  const triedRadii = new Set<number>();
  for (let round = 0; round < maxFits; round += 1) {
    triedRadii.add(radius);
    const points = await findSurfacePoints(radius);
    const fit = fitCylinder(points, { pick, eye });
    const result = assessFit(fit, points.length / 3, sigma);
    if (isBetter(result, best)) best = result;
    const nextRadius = computeNextRadius(radius, fit, result);
    if ([...triedRadii].some((triedRadius) => Math.abs(nextRadius / triedRadius - 1) < 0.25)) break;
    radius = nextRadius;
  }
  return best;
}

function isBetter(result: DiameterResult, best: DiameterResult): boolean {
  if (!best.diameter) return true;
  return result.diameter !== undefined && result.diameter.sigma < best.diameter.sigma;
}

/** Computes the radius of the next patch: the thickness of a clearly visible pipe, or else a larger radius. */
function computeNextRadius(radius: number, fit: CylinderFit | undefined, result: DiameterResult): number {
  const { problem, diameter } = result;
  const clampRadius = (value: number): number =>
    Math.min(searchRadiusLimits.max, Math.max(searchRadiusLimits.min, value));
  // A thin, distant or narrowly visible pipe, or an uncertain result, needs a longer piece.
  if (problem === 'sparse' || problem === 'narrow' || (diameter && diameter.sigma > longerFitSigma))
    return clampRadius(radius * 2);
  // A flat patch may be the side of a large pipe.
  return clampRadius(fit && fit.arc >= 20 ? fit.radius * 2 + 0.05 : radius * 2.5);
}

interface FacetedResult {
  /** Undefined if the facets are so fine that sampled points are as accurate. */
  readonly result: DiameterResult | undefined;
  /** Median edge length of a facet, in metres. */
  readonly extent: number;
}

async function measureFaceted(
  findMesh: (radius: number) => Promise<SurfaceMesh | undefined>,
  sigma: number,
): Promise<FacetedResult | undefined> {
  let best: FacetedResult | undefined;
  for (const radius of meshRadii) {
    const triangles = await findMesh(radius);
    if (!triangles) return best;
    const surface = toFacets(triangles);
    const fit = fitFacets(surface);
    const result = fit ? assessFaceted(fit, sigma) : findFacetedProblem(surface);
    const extent = computeExtent(surface);
    const isScanned = surface.facets.length >= scannedMesh.minFacets && extent <= scannedMesh.maxMetres;
    if (result.problem && isScanned) return { result: undefined, extent };
    if (result.diameter || !best?.result?.diameter) best = { result, extent };
    // The whole circumference was within the radius.
    if (fit && fit.radius * 2 < radius) break;
  }
  return best;
}

/** Computes the median size in metres of the facets around the pick. */
function computeExtent({ facets, vertices }: FacetedSurface): number {
  const extents = facets.slice(0, scannedMesh.minFacets).map((facet) => {
    const points = facet.vertices.flatMap((vertex) => (vertices[vertex] ? [vertices[vertex]] : []));
    return Math.max(...points.map((point) => distanceBetween(point, points[0] ?? point)));
  });
  return extents.toSorted((a, b) => a - b)[extents.length >> 1] ?? 0;
}

function findFacetedProblem({ facets }: FacetedSurface): DiameterResult {
  const [hit] = facets;
  return {
    problem:
      hit && facets.some(({ normal }) => Math.abs(dotProduct(normal, hit.normal)) < minFlatCosine) ? 'rough' : 'flat',
  };
}

function assessFaceted(fit: FacetedCylinder, sigma: number): DiameterResult {
  const maxRms = Math.max(maxScatter.metres, maxScatter.fraction * 2 * fit.radius, maxScatter.sigmas * sigma);
  if (fit.rms > maxRms) return { problem: 'rough' };
  if (fit.arc < qualityLimits.minArc) return { problem: 'narrow' };
  const { value, sigma: diameterSigma } = computeTrueDiameter(fit);
  return {
    diameter: {
      fit,
      sides: fit.sides,
      value,
      sigma: Math.hypot(diameterSigma, 2 * Math.max(0, sigma - roundingSigma)),
      // No sigma is passed. It covers all exporter conventions and would also match sizes that none of them gives.
      nominal: findNearestPipe(value),
    },
  };
}

/** Returns the diameter of a fit that meets the quality limits, or else the problem. */
export function assessFit(fit: CylinderFit | undefined, pointCount: number, sigma: number): DiameterResult {
  const { maxRms, rmsSigmas, minArc, minCount, minFraction, maxDiameterSigma } = qualityLimits;
  if (!fit) return { problem: pointCount < minCount ? 'sparse' : 'flat' };
  if (fit.count < minCount) return { problem: 'sparse' };
  if (fit.rms >= Math.max(maxRms, rmsSigmas * sigma) || fit.fraction < minFraction) return { problem: 'rough' };
  if (fit.arc < minArc || fit.diameterSigma > maxDiameterSigma) return { problem: 'narrow' };
  const diameterSigma = Math.hypot(fit.diameterSigma, systematicSigma * computeArcFactor(fit.arc));
  const value = fit.radius * 2;
  return { diameter: { fit, value, sigma: diameterSigma, nominal: findNearestPipe(value, diameterSigma) } };
}
