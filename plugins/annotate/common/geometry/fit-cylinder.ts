import {
  perpendicularAxes,
  crossProduct,
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
import { computeLocalNormals, type LocalNormal } from './local-normals.ts';
import { createRandom } from './random.ts';
import { computeDistances, computeDistance, projectToAxis, refineCylinder, type Cylinder } from './refine-cylinder.ts';

export interface CylinderFit extends Cylinder {
  /** Root mean square distance of the inliers, metres. */
  readonly rms: number;
  /** Degrees of the circumference that points cover. */
  readonly arc: number;
  /** Number of inliers, which are the points within three spreads of the surface. */
  readonly count: number;
  /** Share of inliers among all points, in [0, 1]. */
  readonly fraction: number;
  /** Extent of the points along the axis, metres. */
  readonly length: number;
  /** One standard deviation, metres. */
  readonly diameterSigma: number;
}

const minPoints = 30;
const maxRadius = 3;
/** Number of points used to score candidates. */
const sampleSize = 250;
/** Number of points used to refine the best candidates. */
const refineSize = 500;
const maxNormals = 160;
const pairCount = 60;
const maxCandidates = 3;
/** Sine of the angle below which two normals are too similar to define an axis. */
const minCrossing = 0.2;
const arcStepDegrees = 5;
/**
 * Distance in metres beyond which a point adds nothing to the score of a candidate: three sigma of a usual scanner. It
 * is the same for all candidates, because a loose fit would win otherwise.
 */
const maxScoredMetres = 0.007;
/** Distance in metres by which a candidate may miss the pick before it is refined. */
const maxPickMetres = 0.02;

export interface FitHints {
  /** A point that must lie on the surface. */
  readonly pick?: Point3 | undefined;
  /** The common viewpoint of all points, if there is one. */
  readonly eye?: Point3 | undefined;
}

/**
 * Fits the cylinder that contains most of the points (x y z interleaved, metres). Candidate axes come from the
 * covariance and from pairs of the normals. Each axis gets a Taubin circle, and the best cylinder is refined. The
 * result is deterministic, and undefined without a cylinder, as on a flat wall.
 *
 * @see Schnabel, Wahl and Klein 2007
 */
export function fitCylinder(sitePoints: Float64Array, { pick, eye }: FitHints = {}): CylinderFit | undefined {
  const count = sitePoints.length / 3;
  if (count < minPoints) return undefined;
  const origin = computeCentre(sitePoints);
  const points = translate(sitePoints, origin);
  const normals = computeLocalNormals(points, maxNormals);
  if (normals.length < 3) return undefined;
  const sample = sampleEvenly(points, sampleSize);
  const refineSample = sampleEvenly(points, refineSize);
  const localPick = pick && minus(pick, origin);
  const best = findCandidates(points, normals, sample, localPick)
    .flatMap((candidate) => {
      const refinedCylinder = refineCylinder(candidate, refineSample);
      const isNearPick =
        !localPick ||
        (refinedCylinder && computeDistance(refinedCylinder, localPick) < Math.max(0.015, 4 * refinedCylinder.spread));
      return refinedCylinder && isNearPick && refinedCylinder.radius < maxRadius
        ? [{ cylinder: refinedCylinder, score: computeScore(refinedCylinder, refineSample) }]
        : [];
    })
    .toSorted((a, b) => b.score - a.score)[0];
  const cylinder = best && refineCylinder(best.cylinder, points, eye && minus(eye, origin));
  if (!cylinder || cylinder.radius > maxRadius) return undefined;
  return {
    ...describeFit(cylinder, points, cylinder.spread),
    centre: plus(projectToAxis(cylinder, [0, 0, 0]), origin),
    diameterSigma: 2 * cylinder.radiusSigma,
  };
}

function describeFit(cylinder: Cylinder, points: Float64Array, spread: number): Omit<CylinderFit, 'diameterSigma'> {
  const distances = computeDistances(cylinder, points);
  const maxDistance = 3 * Math.max(spread, 0.0005);
  const [u, v] = perpendicularAxes(cylinder.axis);
  const bins = Array.from({ length: 360 / arcStepDegrees }, () => 0);
  let [inlierCount, squares, low, high] = [0, 0, Infinity, -Infinity];
  for (let i = 0; i < distances.length; i += 1) {
    const distance = distances[i] ?? 0;
    if (Math.abs(distance) > maxDistance) continue;
    const offset = minus([points[i * 3] ?? 0, points[i * 3 + 1] ?? 0, points[i * 3 + 2] ?? 0], cylinder.centre);
    inlierCount += 1;
    squares += distance * distance;
    const along = dotProduct(offset, cylinder.axis);
    [low, high] = [Math.min(low, along), Math.max(high, along)];
    const bin =
      Math.floor(((Math.atan2(dotProduct(offset, v), dotProduct(offset, u)) + Math.PI) / (2 * Math.PI)) * bins.length) %
      bins.length;
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  // Bins with few points are ignored, because stray points may lie on the circle by chance.
  const minBinCount = Math.max(2, (inlierCount / Math.max(1, bins.filter((bin) => bin > 0).length)) * 0.15);
  return {
    ...cylinder,
    rms: Math.sqrt(squares / Math.max(1, inlierCount)),
    arc: bins.filter((bin) => bin >= minBinCount).length * arcStepDegrees,
    count: inlierCount,
    fraction: inlierCount / distances.length,
    length: Math.max(0, high - low),
  };
}

/** Finds the cylinders with the best scores on the sample. */
function findCandidates(
  points: Float64Array,
  normals: readonly LocalNormal[],
  sample: Float64Array,
  pick: Point3 | undefined,
): readonly Cylinder[] {
  const candidates: { readonly cylinder: Cylinder; readonly score: number }[] = [];
  const addCandidate = (cylinder: Cylinder | undefined): void => {
    if (cylinder && cylinder.radius < maxRadius && (!pick || computeDistance(cylinder, pick) < maxPickMetres))
      candidates.push({ cylinder, score: computeScore(cylinder, sample) });
  };
  const moments = new Moments();
  for (const { normal } of normals) moments.add(...normal);
  for (const axis of moments.computeAxesAboutOrigin().vectors.slice(0, 2)) addCandidate(fitByCircle(axis, sample));
  const random = createRandom(1);
  const pickRandomNormal = (): LocalNormal | undefined => normals[Math.floor(random() * normals.length)];
  for (let k = 0; k < pairCount; k += 1) {
    const [first, second] = [pickRandomNormal(), pickRandomNormal()];
    const axis = first && second && crossProduct(first.normal, second.normal);
    if (!axis || vectorLength(axis) < minCrossing) continue;
    addCandidate(fitByCircle(unitVector(axis), sample));
    addCandidate(fitByPair(points, first, second, unitVector(axis)));
  }
  return candidates
    .toSorted((a, b) => b.score - a.score)
    .slice(0, maxCandidates)
    .map(({ cylinder }) => cylinder);
}

/** Fits a circle across an axis to all points, and then another circle to the points near the first. */
function fitByCircle(axis: Point3, sample: Float64Array): Cylinder | undefined {
  const [u, v] = perpendicularAxes(axis);
  const flat = new Float64Array((sample.length / 3) * 2);
  for (let i = 0; i < sample.length / 3; i += 1) {
    const point: Point3 = [sample[i * 3] ?? 0, sample[i * 3 + 1] ?? 0, sample[i * 3 + 2] ?? 0];
    flat[i * 2] = dotProduct(point, u);
    flat[i * 2 + 1] = dotProduct(point, v);
  }
  const firstCircle = fitCircle(flat);
  if (!firstCircle) return undefined;
  const maxRadialMetres = Math.max(0.006, firstCircle.radius * 0.05);
  const secondCircle =
    fitCircle(
      flat,
      (i) =>
        Math.abs(
          Math.hypot((flat[i * 2] ?? 0) - firstCircle.x, (flat[i * 2 + 1] ?? 0) - firstCircle.y) - firstCircle.radius,
        ) < maxRadialMetres,
    ) ?? firstCircle;
  return { axis, centre: plus(times(u, secondCircle.x), times(v, secondCircle.y)), radius: secondCircle.radius };
}

/**
 * Computes the cylinder through two points with normals. Seen along its axis, the normals meet in the centre. This also
 * works if neighbouring surfaces have more points than the pipe.
 */
function fitByPair(points: Float64Array, first: LocalNormal, second: LocalNormal, axis: Point3): Cylinder | undefined {
  const [u, v] = perpendicularAxes(axis);
  const getPoint = ({ index }: LocalNormal): Point3 => [
    points[index * 3] ?? 0,
    points[index * 3 + 1] ?? 0,
    points[index * 3 + 2] ?? 0,
  ];
  const [px, py] = [dotProduct(getPoint(first), u), dotProduct(getPoint(first), v)];
  const [qx, qy] = [dotProduct(getPoint(second), u), dotProduct(getPoint(second), v)];
  const [mx, my] = [dotProduct(first.normal, u), dotProduct(first.normal, v)];
  const [nx, ny] = [dotProduct(second.normal, u), dotProduct(second.normal, v)];
  const crossing = mx * ny - my * nx;
  if (Math.abs(crossing) < minCrossing) return undefined;
  const along = ((qx - px) * ny - (qy - py) * nx) / crossing;
  const [x, y] = [px + mx * along, py + my * along];
  const radius = (Math.hypot(px - x, py - y) + Math.hypot(qx - x, qy - y)) / 2;
  return { axis, centre: plus(times(u, x), times(v, y)), radius };
}

/**
 * Computes the score of a cylinder in [0, 1]. The weight of a point falls to zero with its distance (MSAC).
 *
 * @see Torr and Zisserman 2000
 */
function computeScore(cylinder: Cylinder, points: Float64Array): number {
  const distances = computeDistances(cylinder, points);
  let score = 0;
  for (const distance of distances) score += Math.max(0, 1 - (distance / maxScoredMetres) ** 2);
  return score / distances.length;
}

function computeCentre(points: Float64Array): Point3 {
  const count = points.length / 3;
  let [x, y, z] = [0, 0, 0];
  for (let i = 0; i < points.length; i += 3) {
    x += (points[i] ?? 0) / count;
    y += (points[i + 1] ?? 0) / count;
    z += (points[i + 2] ?? 0) / count;
  }
  return [x, y, z];
}

const translate = (points: Float64Array, origin: Point3): Float64Array =>
  points.map((value, index) => value - (origin[index % 3] ?? 0));

/** Samples at most `maxCount` of the points evenly. */
function sampleEvenly(points: Float64Array, maxCount: number): Float64Array {
  const count = points.length / 3;
  if (count <= maxCount) return points;
  const sample = new Float64Array(maxCount * 3);
  for (let k = 0; k < maxCount; k += 1)
    sample.set(
      points.subarray(Math.floor((k * count) / maxCount) * 3, Math.floor((k * count) / maxCount) * 3 + 3),
      k * 3,
    );
  return sample;
}
