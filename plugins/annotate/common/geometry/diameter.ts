import { distanceBetween, dotProduct, type Point3 } from '#core';
import { findNearestPipe, type NominalPipe } from '#core/piping';
import type { SurfaceMesh } from '#plugins/tour';
import { fitCylinder, type CylinderFit } from './fit-cylinder.ts';
import { fitFacets, type FacetedCylinder } from './fit-facets.ts';
import { toFacets, type FacetedSurface } from './mesh-facets.ts';
import type { Cylinder } from './refine-cylinder.ts';
import { computeTrueDiameter } from './tessellation.ts';

/** Why no diameter can be computed. */
export type DiameterRefusal =
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
  /** Of a model: the number of flat sides, and the arc in degrees that the fit used. */
  readonly sides?: number;
  /** Metres. */
  readonly value: number;
  /** One standard deviation, metres. */
  readonly sigma: number;
  readonly nominal: NominalPipe | undefined;
}

export type DiameterAnswer =
  | { readonly diameter: Diameter; readonly refusal?: never }
  | { readonly refusal: DiameterRefusal; readonly diameter?: never };

/** Quality limits of an accepted fit. */
const gate = { rms: 0.004, sigmas: 3, arc: 70, count: 80, share: 0.6, diameterSigma: 0.003 } as const;
/**
 * Systematic error that no fit detects, in metres: rounding of the ranges, deviation from a true cylinder, a plate or a
 * weld. It weighs more the shorter the visible arc is.
 */
const systematic = 0.0002;
const computeCurve = (arc: number): number => 2 / (1 - Math.cos(Math.min(Math.PI, (arc * Math.PI) / 360)));
const firstRadius = 0.25;
const radiusLimits = { least: 0.12, most: 1.6 } as const;
const maxFits = 4;
/** Standard deviation above which a longer piece of the pipe is fitted, in metres. */
const isUncertain = 0.0008;

/**
 * Radii around a pick within which facets are searched, in metres; the next one is used if the pipe continues beyond.
 */
const meshRadii = [0.5, 2, 6] as const;
/** Metres, and share of the diameter, by which corners of a model may scatter around the cylinder. */
const maxScatter = { metres: 0.0005, share: 0.001, sigmas: 1.5 } as const;
/** From this number of small facets on, the surface is a scanned mesh and not a tessellated cylinder. */
const fine = { facets: 300, metres: 0.03 } as const;
/** Cosine of 5 degrees: facets that differ by less form a flat surface. */
const minTurned = 0.996;
/** Rounding of models in metres, which the fit sees as scatter of the corners. */
const roundedSigma = 0.001;

export interface MeasureDiameterOptions {
  /** Noise of one point in metres, if known. */
  readonly sigma?: number | undefined;
  /** The common viewpoint of all points, if there is one. */
  readonly eye?: Point3 | undefined;
  /** Triangles within a radius in metres, if the surface is a mesh. */
  readonly mesh?: ((radius: number) => Promise<SurfaceMesh | undefined>) | undefined;
}

/**
 * Fits a cylinder to the connected surface around the pick and returns its outside diameter. `patch` returns points
 * within a radius in metres; the radius grows with the cylinder. Meshes use their corners, because points between
 * corners lie inside the true cylinder.
 */
export async function measureDiameter(
  pick: Point3,
  patch: (radius: number) => Promise<Float64Array>,
  { sigma = 0, eye, mesh }: MeasureDiameterOptions = {},
): Promise<DiameterAnswer> {
  const faceted = mesh && (await measureFaceted(mesh, sigma));
  if (faceted?.answer) return faceted.answer;
  const answer = await measurePoints(pick, patch, { sigma, eye });
  const { diameter } = answer;
  // Between its corners a triangle lies inside the true surface, at most by the sagitta of the arc.
  return diameter && faceted
    ? {
        diameter: {
          ...diameter,
          sigma: Math.hypot(diameter.sigma, faceted.extent ** 2 / (8 * diameter.fit.radius)),
        },
      }
    : answer;
}

async function measurePoints(
  pick: Point3,
  patch: (radius: number) => Promise<Float64Array>,
  { sigma = 0, eye }: Omit<MeasureDiameterOptions, 'mesh'>,
): Promise<DiameterAnswer> {
  let radius = firstRadius;
  let best: DiameterAnswer = { refusal: 'flat' };
  const tried = new Set<number>();
  for (let round = 0; round < maxFits; round += 1) {
    tried.add(radius);
    const points = await patch(radius);
    const fit = fitCylinder(points, { pick, eye });
    const answer = judge(fit, points.length / 3, sigma);
    if (answer.diameter ? !best.diameter || answer.diameter.sigma < best.diameter.sigma : !best.diameter) best = answer;
    // A flat patch may be the side of something large. Each step takes as much of a pipe as it is thick. A thin,
    // distant or narrowly visible pipe, or an uncertain result, needs a longer piece.
    const requiredRadius =
      answer.refusal === 'sparse' ||
      answer.refusal === 'narrow' ||
      (answer.diameter && answer.diameter.sigma > isUncertain)
        ? radius * 2
        : fit && fit.arc >= 20
          ? fit.radius * 2 + 0.05
          : radius * 2.5;
    const next = Math.min(radiusLimits.most, Math.max(radiusLimits.least, requiredRadius));
    if ([...tried].some((before) => Math.abs(next / before - 1) < 0.25)) break;
    radius = next;
  }
  return best;
}

interface FacetedAnswer {
  /** Undefined if the facets are so fine that sampled points are as accurate. */
  readonly answer: DiameterAnswer | undefined;
  /** Median edge length of a facet, in metres. */
  readonly extent: number;
}

async function measureFaceted(
  mesh: (radius: number) => Promise<SurfaceMesh | undefined>,
  sigma: number,
): Promise<FacetedAnswer | undefined> {
  let best: FacetedAnswer | undefined;
  for (const radius of meshRadii) {
    const triangles = await mesh(radius);
    if (!triangles) return best;
    const surface = toFacets(triangles);
    const fit = fitFacets(surface);
    const answer = fit ? judgeFaceted(fit, sigma) : refuseFaceted(surface);
    const extent = computeExtent(surface);
    const isFine = surface.facets.length >= fine.facets && extent <= fine.metres;
    if (answer.refusal && isFine) return { answer: undefined, extent };
    if (answer.diameter || !best?.answer?.diameter) best = { answer, extent };
    // The whole circumference was within the radius.
    if (fit && fit.radius * 2 < radius) break;
  }
  return best;
}

/** The median of the facets around the pick, by size. */
function computeExtent({ facets, places }: FacetedSurface): number {
  const extents = facets.slice(0, fine.facets).map((facet) => {
    const own = facet.places.flatMap((place) => (places[place] ? [places[place]] : []));
    return Math.max(...own.map((place) => distanceBetween(place, own[0] ?? place)));
  });
  return extents.toSorted((a, b) => a - b)[extents.length >> 1] ?? 0;
}

function refuseFaceted({ facets }: FacetedSurface): DiameterAnswer {
  const [hit] = facets;
  return {
    refusal:
      hit && facets.some(({ normal }) => Math.abs(dotProduct(normal, hit.normal)) < minTurned) ? 'rough' : 'flat',
  };
}

function judgeFaceted(fit: FacetedCylinder, sigma: number): DiameterAnswer {
  const scatter = Math.max(maxScatter.metres, maxScatter.share * 2 * fit.radius, maxScatter.sigmas * sigma);
  if (fit.rms > scatter) return { refusal: 'rough' };
  if (fit.arc < gate.arc) return { refusal: 'narrow' };
  const { value, sigma: spread } = computeTrueDiameter(fit);
  return {
    diameter: {
      fit,
      sides: fit.sides,
      value,
      sigma: Math.hypot(spread, 2 * Math.max(0, sigma - roundedSigma)),
      // Without the sigma, because the range of the conventions would match sizes that no convention produces.
      nominal: findNearestPipe(value),
    },
  };
}

/** Whether a fit meets the quality limits. */
export function judge(fit: CylinderFit | undefined, points: number, sigma: number): DiameterAnswer {
  if (!fit) return { refusal: points < gate.count ? 'sparse' : 'flat' };
  if (fit.count < gate.count) return { refusal: 'sparse' };
  if (fit.rms >= Math.max(gate.rms, gate.sigmas * sigma) || fit.share < gate.share) return { refusal: 'rough' };
  if (fit.arc < gate.arc || fit.diameterSigma > gate.diameterSigma) return { refusal: 'narrow' };
  const spread = Math.hypot(fit.diameterSigma, systematic * computeCurve(fit.arc));
  const value = fit.radius * 2;
  return { diameter: { fit, value, sigma: spread, nominal: findNearestPipe(value, spread) } };
}
