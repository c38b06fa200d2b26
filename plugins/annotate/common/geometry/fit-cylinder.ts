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
import { circleThrough } from './circle.ts';
import { localNormals, type LocalNormal } from './local-normals.ts';
import { seeded } from './random.ts';
import { distancesTo, distanceTo, onAxis, refineCylinder, type Cylinder } from './refine-cylinder.ts';

export interface CylinderFit extends Cylinder {
  /** Root mean square distance of the inliers, metres. */
  readonly rms: number;
  /** Degrees of the circumference that points cover. */
  readonly arc: number;
  /** Inliers: points within three spreads of the surface. */
  readonly count: number;
  /** Share of all points, in [0, 1]. */
  readonly share: number;
  /** Extent of the points along the axis, metres. */
  readonly length: number;
  /** One standard deviation, metres. */
  readonly diameterSigma: number;
}

const minPoints = 30;
const largestRadius = 3;
/** Number of points that score candidates, and number that refine the best of them. */
const sampleSize = 250;
const refineSize = 500;
const normalsTaken = 160;
const pairs = 60;
const finalists = 3;
/** Sine of the angle below which two normals are too similar to define an axis. */
const minCrossing = 0.2;
const arcStep = 5;
/**
 * Distance from which a point no longer counts when candidates are compared, in metres: three sigma of a usual scanner.
 * It is the same for all candidates, or a loose one would win.
 */
const scoreReach = 0.007;
/** Metres by which a rough candidate may miss the pick. */
const pickReach = 0.02;

export interface FitHints {
  /** A point that must lie on the surface. */
  readonly pick?: Point3 | undefined;
  /** The viewpoint of all points, if they have one in common. */
  readonly eye?: Point3 | undefined;
}

/**
 * Fits the cylinder that contains most of the points (x y z interleaved, metres): axes from the normals' covariance and
 * from pairs of normals, a Taubin circle across each, then a refinement. Undefined without a cylinder, as on a flat
 * wall. Deterministic.
 *
 * @see Schnabel, Wahl and Klein 2007
 */
export function fitCylinder(sitePoints: Float64Array, { pick, eye }: FitHints = {}): CylinderFit | undefined {
  const count = sitePoints.length / 3;
  if (count < minPoints) return undefined;
  const origin = computeCentre(sitePoints);
  const points = movedBy(sitePoints, origin);
  const normals = localNormals(points, normalsTaken);
  if (normals.length < 3) return undefined;
  const sample = thinned(points, sampleSize);
  const some = thinned(points, refineSize);
  const localPick = pick && minus(pick, origin);
  const best = findCandidates(points, normals, sample, localPick)
    .flatMap((candidate) => {
      const refined = refineCylinder(candidate, some);
      const near = !localPick || (refined && distanceTo(refined, localPick) < Math.max(0.015, 4 * refined.spread));
      return refined && near && refined.radius < largestRadius
        ? [{ cylinder: refined, score: computeScore(refined, some) }]
        : [];
    })
    .reduce<{ readonly cylinder: Cylinder; readonly score: number } | undefined>(
      (found, each) => (found && found.score >= each.score ? found : each),
      undefined,
    );
  const refined = best && refineCylinder(best.cylinder, points, eye && minus(eye, origin));
  if (!refined || refined.radius > largestRadius) return undefined;
  return {
    ...described(refined, points, refined.spread),
    centre: plus(onAxis(refined, [0, 0, 0]), origin),
    diameterSigma: 2 * refined.radiusSigma,
  };
}

function described(cylinder: Cylinder, points: Float64Array, spread: number): Omit<CylinderFit, 'diameterSigma'> {
  const distances = distancesTo(cylinder, points);
  const cut = 3 * Math.max(spread, 0.0005);
  const [u, v] = perpendicularAxes(cylinder.axis);
  const bins = Array.from({ length: 360 / arcStep }, () => 0);
  let [inside, squares, low, high] = [0, 0, Infinity, -Infinity];
  for (let i = 0; i < distances.length; i += 1) {
    const distance = distances[i] ?? 0;
    if (Math.abs(distance) > cut) continue;
    const from = minus([points[i * 3] ?? 0, points[i * 3 + 1] ?? 0, points[i * 3 + 2] ?? 0], cylinder.centre);
    inside += 1;
    squares += distance * distance;
    const along = dotProduct(from, cylinder.axis);
    [low, high] = [Math.min(low, along), Math.max(high, along)];
    const bin =
      Math.floor(((Math.atan2(dotProduct(from, v), dotProduct(from, u)) + Math.PI) / (2 * Math.PI)) * bins.length) %
      bins.length;
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  // Stray points that happen to lie on the circle form no arc.
  const enough = Math.max(2, (inside / Math.max(1, bins.filter((bin) => bin > 0).length)) * 0.15);
  return {
    ...cylinder,
    rms: Math.sqrt(squares / Math.max(1, inside)),
    arc: bins.filter((bin) => bin >= enough).length * arcStep,
    count: inside,
    share: inside / distances.length,
    length: Math.max(0, high - low),
  };
}

/** The best few cylinders of the sample, one for each family of distinct axes. */
function findCandidates(
  points: Float64Array,
  normals: readonly LocalNormal[],
  sample: Float64Array,
  pick: Point3 | undefined,
): readonly Cylinder[] {
  const found: { readonly cylinder: Cylinder; readonly score: number }[] = [];
  const consider = (cylinder: Cylinder | undefined): void => {
    if (cylinder && cylinder.radius < largestRadius && (!pick || distanceTo(cylinder, pick) < pickReach))
      found.push({ cylinder, score: computeScore(cylinder, sample) });
  };
  const moments = new Moments();
  for (const { normal } of normals) moments.add(...normal);
  for (const axis of moments.aboutOrigin().vectors.slice(0, 2)) consider(byCircle(axis, sample));
  const random = seeded(1);
  const draw = (): LocalNormal | undefined => normals[Math.floor(random() * normals.length)];
  for (let k = 0; k < pairs; k += 1) {
    const [one, other] = [draw(), draw()];
    const axis = one && other && crossProduct(one.normal, other.normal);
    if (!axis || vectorLength(axis) < minCrossing) continue;
    consider(byCircle(unitVector(axis), sample));
    consider(byPair(points, one, other, unitVector(axis)));
  }
  return found
    .toSorted((a, b) => b.score - a.score)
    .slice(0, finalists)
    .map(({ cylinder }) => cylinder);
}

/** Fits a circle across an axis to all points, then one to the points near it. */
function byCircle(axis: Point3, sample: Float64Array): Cylinder | undefined {
  const [u, v] = perpendicularAxes(axis);
  const flat = new Float64Array((sample.length / 3) * 2);
  for (let i = 0; i < sample.length / 3; i += 1) {
    const point: Point3 = [sample[i * 3] ?? 0, sample[i * 3 + 1] ?? 0, sample[i * 3 + 2] ?? 0];
    flat[i * 2] = dotProduct(point, u);
    flat[i * 2 + 1] = dotProduct(point, v);
  }
  const first = circleThrough(flat);
  if (!first) return undefined;
  const reach = Math.max(0.006, first.radius * 0.05);
  const second =
    circleThrough(
      flat,
      (i) =>
        Math.abs(Math.hypot((flat[i * 2] ?? 0) - first.x, (flat[i * 2 + 1] ?? 0) - first.y) - first.radius) < reach,
    ) ?? first;
  return { axis, centre: plus(times(u, second.x), times(v, second.y)), radius: second.radius };
}

/**
 * Two points and their normals define a cylinder: across their common axis the normals meet in its centre. This also
 * works if neighbouring surfaces have more points than the pipe.
 */
function byPair(points: Float64Array, one: LocalNormal, other: LocalNormal, axis: Point3): Cylinder | undefined {
  const [u, v] = perpendicularAxes(axis);
  const at = ({ index }: LocalNormal): Point3 => [
    points[index * 3] ?? 0,
    points[index * 3 + 1] ?? 0,
    points[index * 3 + 2] ?? 0,
  ];
  const [px, py] = [dotProduct(at(one), u), dotProduct(at(one), v)];
  const [qx, qy] = [dotProduct(at(other), u), dotProduct(at(other), v)];
  const [mx, my] = [dotProduct(one.normal, u), dotProduct(one.normal, v)];
  const [nx, ny] = [dotProduct(other.normal, u), dotProduct(other.normal, v)];
  const crossing = mx * ny - my * nx;
  if (Math.abs(crossing) < minCrossing) return undefined;
  const way = ((qx - px) * ny - (qy - py) * nx) / crossing;
  const [x, y] = [px + mx * way, py + my * way];
  const radius = (Math.hypot(px - x, py - y) + Math.hypot(qx - x, qy - y)) / 2;
  return { axis, centre: plus(times(u, x), times(v, y)), radius };
}

/**
 * Score of a cylinder in [0, 1]: the weight of a point falls to zero with its distance (MSAC).
 *
 * @see Torr and Zisserman 2000
 */
function computeScore(cylinder: Cylinder, points: Float64Array): number {
  const distances = distancesTo(cylinder, points);
  let score = 0;
  for (const distance of distances) score += Math.max(0, 1 - (distance / scoreReach) ** 2);
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

const movedBy = (points: Float64Array, origin: Point3): Float64Array =>
  points.map((value, index) => value - (origin[index % 3] ?? 0));

/** At most `most` of the points, evenly sampled. */
function thinned(points: Float64Array, most: number): Float64Array {
  const count = points.length / 3;
  if (count <= most) return points;
  const thin = new Float64Array(most * 3);
  for (let k = 0; k < most; k += 1)
    thin.set(points.subarray(Math.floor((k * count) / most) * 3, Math.floor((k * count) / most) * 3 + 3), k * 3);
  return thin;
}
