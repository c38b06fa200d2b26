import { computeSearchRadius, type NearPoint, type Ray } from './points-near-ray.ts';

/** A plane in a ray's frame with its `depth` on the ray and its slopes `b` along `u` and `c` along `v`. */
export interface Plane {
  readonly depth: number;
  readonly b: number;
  readonly c: number;
}

export interface Neighbour extends NearPoint {
  /** Metres to the nearest other point. */
  readonly gap: number;
}

/** The distribution of the points of a surface around the ray. */
export interface PointDistribution {
  /** Whether the points surround the ray. */
  readonly surroundsRay: boolean;
  /** Metres by which the ray passes the outermost point. */
  readonly overshoot: number;
  /** Metres from the ray's point on the surface to the nearest point. */
  readonly nearestMetres: number;
  /** Angle between the ray and the nearest point in radians. */
  readonly nearestRadians: number;
}

/** A plane with its points around the ray. */
export interface SeenPlane extends PointDistribution, Plane {
  readonly localPoints: readonly Neighbour[];
  /** The number of points of the plane within the search radius of the ray. */
  readonly count: number;
  /** One standard deviation of the depth, in metres. */
  readonly sigma: number;
  /** One standard deviation of single points around the plane. */
  readonly scatter: number;
  /** Metres between its points. `maxSpacing` is larger if other surfaces around the ray are scanned less densely. */
  readonly spacing: number;
  readonly maxSpacing: number;
  /** The plane was fitted to the points within this radius of the ray, in metres. */
  readonly fitRadius: number;
}

export interface FoundPlanes {
  readonly planes: readonly SeenPlane[];
  readonly points: readonly Neighbour[];
  /** Maximum distance of a point from its plane in metres. */
  readonly tolerance: number;
}

/** The point nearest to the ray in each depth slice of this thickness is a seed. */
const sliceMetres = 0.05;
/** Neighbours are searched at least within this difference in depth. */
const minGapSearchMetres = 0.15;
const maxNeighbours = 80;
const planesPerSeed = 20;
/** The tolerance of a plane is three sigma of a typical scanner, or the effect of curvature at a wide spacing. */
const planeTolerance = (meanSpacing: number): number => Math.max(0.01, meanSpacing / 20);
/** Points within this multiple of the tolerance, such as stray points, are removed together with a surface. */
const clearedFactor = 2;
const maxSurfaces = 3;
/** Tangent of 80 degrees. Steeper surfaces are not measured. */
const maxSlope = 5.7;
const minPointsOnPlane = 5;
/** Fewer points may be coplanar strays, unless there are hardly any other points, as on a thin rail. */
const minCertainPoints = 8;
const minLoneFraction = 0.7;
/** A plane with at least this many points is opaque. */
const opaqueCount = 24;
export const minPointsAround = 4;
/**
 * Multiples of the spacing for the radius of the ring around the ray and for the maximum distance of the nearest point
 * if the points surround the ray. If it is farther, the object has a hole there.
 */
const ringFactor = 2.2;
const maxHoleFactor = 1.6;
/**
 * Maximum distances of a ray that the points do not surround, past the outermost point and from the nearest point, as
 * multiples of the spacing.
 */
const maxOutside = { overshoot: 0.5, nearestMetres: 1.3 } as const;
/** Ratios by which the spacing of one surface may differ from that of all points around the ray. */
const [minSpacingRatio, maxSpacingRatio] = [0.45, 2] as const;
/** Maximum gap in the ring of points around the ray. */
const maxGapDegrees = 150;
const maxFittedPoints = 10;
/** Points farther from a surface than this many standard deviations have no weight in a fit (Tukey's biweight). */
export const tukeyConstant = 4.685;
/** Standard deviation as a multiple of the median absolute deviation, in a normal distribution. */
export const sigmaOfMedianAbsolute = 1.4826;
export const minScatterMetres = 0.0015;
const iterations = 4;

/**
 * Finds all planes with enough points around or next to a ray, from triples of neighbours. Deterministic.
 *
 * @see Fischler and Bolles 1981 (RANSAC)
 */
export function findPlanesNearRay(points: readonly NearPoint[], ray: Pick<Ray, 'aperture'>): FoundPlanes {
  const gaps = computeGaps(points);
  // In a random distribution, the distance to the nearest point is half of the mean spacing.
  const meanSpacing = 2 * median([...gaps]);
  const tolerance = planeTolerance(meanSpacing);
  const neighbours = points.map((point, k): Neighbour => ({ ...point, gap: gaps[k] ?? 0 }));
  const planes: SeenPlane[] = [];
  let opaqueDepth = Infinity;
  for (const seed of generateSeeds(points)) {
    const radius = computeSearchRadius(ray, seed.depth);
    if (seed.depth > opaqueDepth + radius) break;
    for (const seenPlane of findPlanes(findNeighbours(neighbours, seed.depth, radius), {
      radius,
      meanSpacing,
      tolerance,
    })) {
      planes.push(seenPlane);
      if (
        seenPlane.surroundsRay &&
        (seenPlane.localPoints.length >= minCertainPoints || seenPlane.count >= opaqueCount)
      )
        opaqueDepth = Math.min(opaqueDepth, seenPlane.depth);
    }
  }
  return { planes, points: neighbours, tolerance };
}

/** The distance in metres, positive behind the plane. */
export const computePlaneDistance = ({ depth, b, c }: Plane, point: NearPoint): number =>
  (point.depth - depth - b * point.u - c * point.v) / Math.sqrt(1 + b * b + c * c);

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Describes the distribution of a plane's points around the ray. */
export function describeDistribution(points: readonly NearPoint[], spacing: number, depth: number): PointDistribution {
  const distance = points.map((point) => Math.hypot(point.rayDistance, point.depth - depth));
  const ring = points.filter((_, k) => (distance[k] ?? Infinity) <= ringFactor * spacing);
  if (ring.length === 0)
    return { surroundsRay: false, overshoot: Infinity, nearestMetres: Infinity, nearestRadians: Infinity };
  const gap = findWidestGap(ring);
  const nearestMetres = Math.min(...distance);
  return {
    surroundsRay: nearestMetres <= maxHoleFactor * spacing && gap.degrees <= maxGapDegrees,
    overshoot: -Math.max(...ring.map(({ u, v }) => u * Math.cos(gap.middle) + v * Math.sin(gap.middle))),
    nearestMetres,
    nearestRadians: Math.min(...ring.map((point) => point.rayDistance / point.depth)),
  };
}

/** Whether the ray hits a plane within its points, or so close to them that the object may continue there. */
export const isHit = ({ surroundsRay, overshoot, nearestMetres }: PointDistribution, maxSpacing: number): boolean =>
  surroundsRay ||
  (overshoot <= maxOutside.overshoot * maxSpacing && nearestMetres <= maxOutside.nearestMetres * maxSpacing);

interface Scale {
  readonly radius: number;
  /** Mean spacing of the points of all surfaces around the ray. */
  readonly meanSpacing: number;
  readonly tolerance: number;
}

/** Yields planes one by one. Each is found in the points that are not on the previous planes. */
function* findPlanes(neighbours: readonly Neighbour[], scale: Scale): Generator<SeenPlane> {
  let remainingPoints = neighbours;
  for (let k = 0; k < maxSurfaces && remainingPoints.length >= minPointsOnPlane; k++) {
    const plane = findBestPlane(remainingPoints, scale);
    if (!plane) return;
    const seenPlane = evaluatePlane(plane, remainingPoints, scale);
    if (seenPlane) yield seenPlane;
    remainingPoints = remainingPoints.filter(
      (point) => Math.abs(computePlaneDistance(plane, point)) > clearedFactor * scale.tolerance,
    );
  }
}

function findBestPlane(neighbours: readonly Neighbour[], { radius, tolerance }: Scale): Plane | undefined {
  const [nearest] = neighbours;
  if (!nearest) return undefined;
  let best: Plane | undefined;
  let bestScore = 0;
  for (const plane of samplePlanes(neighbours)) {
    if (Math.abs(plane.depth - nearest.depth) > radius) continue;
    let score = 0;
    for (const point of neighbours)
      score +=
        Math.max(0, 1 - (computePlaneDistance(plane, point) / tolerance) ** 2) *
        Math.max(0, 1 - (point.rayDistance / radius) ** 2);
    if (score > bestScore) [best, bestScore] = [plane, score];
  }
  return best;
}

function* generateSeeds(points: readonly NearPoint[]): Generator<NearPoint> {
  for (let from = 0; from < points.length;) {
    const end = (points[from]?.depth ?? 0) + sliceMetres;
    let to = from;
    while (to < points.length && (points[to]?.depth ?? Infinity) <= end) to++;
    yield points.slice(from, to).reduce((a, b) => (b.rayDistance < a.rayDistance ? b : a));
    from = to;
  }
}

/** Finds the points in a sphere around the ray's point at a depth, nearest first. */
function findNeighbours(points: readonly Neighbour[], depth: number, radius: number): readonly Neighbour[] {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle]?.depth ?? 0) < depth - radius) low = middle + 1;
    else high = middle;
  }
  const candidates: { readonly distance: number; readonly neighbour: Neighbour }[] = [];
  for (let k = low; k < points.length; k++) {
    const neighbour = points[k];
    if (!neighbour || neighbour.depth > depth + radius) break;
    const distance = Math.hypot(neighbour.rayDistance, neighbour.depth - depth);
    if (distance <= radius) candidates.push({ distance, neighbour });
  }
  return candidates
    .sort((a, b) => a.distance - b.distance)
    .slice(0, maxNeighbours)
    .map(({ neighbour }) => neighbour);
}

/**
 * Computes the metres from each point to its nearest neighbour; infinite if there is none near by. The points are
 * sorted by depth, so a search ends where the depths alone differ by more than the distance found.
 */
function computeGaps(points: readonly NearPoint[]): Float64Array {
  const maxDepthDifference = points.reduce((max, { rayDistance }) => Math.max(max, rayDistance), minGapSearchMetres);
  const findGap = (k: number, step: 1 | -1, limit: number): number => {
    const a = points[k]!;
    let gap = limit;
    for (let b = points[k + step], j = k + step; b; j += step, b = points[j]) {
      if (Math.abs(b.depth - a.depth) > Math.min(gap, maxDepthDifference)) break;
      gap = Math.min(gap, Math.hypot(a.u - b.u, a.v - b.v, a.depth - b.depth));
    }
    return gap;
  };
  return Float64Array.from(points, (_, k) => findGap(k, -1, findGap(k, 1, Infinity)));
}

/** Yields planes through three of the neighbours and prefers near neighbours. Deterministic. */
function* samplePlanes(neighbours: readonly Neighbour[]): Generator<Plane> {
  let state = 1;
  const pickRandom = (): Neighbour | undefined => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return neighbours[Math.floor((state / 4_294_967_296) ** 2 * neighbours.length)];
  };
  for (let k = 0; k < planesPerSeed; k++) {
    const [p, q, r] = [pickRandom(), pickRandom(), pickRandom()];
    if (!p || !q || !r) continue;
    const area = (q.u - p.u) * (r.v - p.v) - (r.u - p.u) * (q.v - p.v);
    const size = Math.hypot(q.u - p.u, q.v - p.v) * Math.hypot(r.u - p.u, r.v - p.v);
    if (Math.abs(area) < 0.2 * size || size === 0) continue;
    const b = ((q.depth - p.depth) * (r.v - p.v) - (r.depth - p.depth) * (q.v - p.v)) / area;
    const c = ((r.depth - p.depth) * (q.u - p.u) - (q.depth - p.depth) * (r.u - p.u)) / area;
    if (Math.hypot(b, c) <= maxSlope) yield { depth: p.depth - b * p.u - c * p.v, b, c };
  }
}

/** Fits a plane around the ray; undefined if its points are not a surface that the ray hits. */
function evaluatePlane(
  plane: Plane,
  neighbours: readonly Neighbour[],
  { radius, meanSpacing, tolerance }: Scale,
): SeenPlane | undefined {
  const pointsOnPlane = neighbours
    .flatMap((point) =>
      Math.abs(computePlaneDistance(plane, point)) <= tolerance
        ? [{ point, distance: Math.hypot(point.rayDistance, point.depth - plane.depth) }]
        : [],
    )
    .sort((a, b) => a.distance - b.distance);
  if (pointsOnPlane.length < minPointsOnPlane) return undefined;
  const hasFewPoints = pointsOnPlane.length < minCertainPoints;
  if (hasFewPoints && pointsOnPlane.length < minLoneFraction * neighbours.length) return undefined;
  const spacingRatio = Math.min(
    hasFewPoints ? 1 : maxSpacingRatio,
    (2 * median(pointsOnPlane.map(({ point }) => point.gap))) / meanSpacing,
  );
  const [spacing, maxSpacing] = [
    Math.max(minSpacingRatio, spacingRatio) * meanSpacing,
    Math.max(1, spacingRatio) * meanSpacing,
  ];
  const localPoints = pointsOnPlane.flatMap(({ point, distance }) =>
    distance <= ringFactor * maxSpacing ? [point] : [],
  );
  if (localPoints.length < minPointsAround) return undefined;
  const distribution = describeDistribution(localPoints, spacing, plane.depth);
  if (!isHit(distribution, maxSpacing)) return undefined;
  const fitRadius = Math.min(
    radius,
    Math.max(
      ringFactor * spacing,
      (pointsOnPlane[Math.min(pointsOnPlane.length, maxFittedPoints) - 1]?.distance ?? radius) * 1.2,
    ),
  );
  const fit = fitPlane(plane, neighbours, fitRadius, tolerance);
  return fit && Math.abs(fit.depth - plane.depth) <= 2 * tolerance * Math.sqrt(1 + plane.b ** 2 + plane.c ** 2)
    ? { ...fit, ...distribution, localPoints, count: pointsOnPlane.length, spacing, maxSpacing, fitRadius }
    : undefined;
}

/** Finds the widest gap in the ring of points around the ray, in degrees, and its middle, in radians. */
function findWidestGap(ring: readonly NearPoint[]): { readonly degrees: number; readonly middle: number } {
  const angles = ring.map(({ u, v }) => Math.atan2(v, u)).sort((a, b) => a - b);
  const gaps = angles.map((from, k) => ({ from, width: (angles[k + 1] ?? (angles[0] ?? 0) + 2 * Math.PI) - from }));
  const { from, width } = gaps.reduce((a, b) => (b.width > a.width ? b : a));
  return { degrees: (width * 180) / Math.PI, middle: from + width / 2 };
}

/**
 * Fits a plane by weighted least squares. Weights fall to zero at `fitRadius` from the ray and at a few standard
 * deviations from the plane.
 *
 * @see Cleveland 1979, robust local regression
 */
function fitPlane(
  start: Plane,
  nearPoints: readonly NearPoint[],
  fitRadius: number,
  tolerance: number,
): (Plane & Pick<SeenPlane, 'scatter' | 'sigma'>) | undefined {
  let plane = start;
  let scatter = tolerance / 3;
  let [sum, squares] = [0, 0];
  for (let round = 0; round < iterations; round++) {
    const { depth: depthOnRay } = plane;
    const cutoff = Math.max(minScatterMetres, scatter) * tukeyConstant;
    const weightedPoints = nearPoints.flatMap((point) => {
      const [distance, planeDistance] = [
        Math.hypot(point.rayDistance, point.depth - depthOnRay) / fitRadius,
        computePlaneDistance(plane, point),
      ];
      return distance < 1 && Math.abs(planeDistance) < cutoff
        ? [{ point, weight: (1 - distance ** 2) ** 2 * (1 - (planeDistance / cutoff) ** 2) ** 2 }]
        : [];
    });
    const next = fitLeastSquares(weightedPoints);
    if (!next) return undefined;
    sum = weightedPoints.reduce((total, { weight }) => total + weight, 0);
    squares = weightedPoints.reduce((total, { weight }) => total + weight ** 2, 0);
    plane = next;
    scatter = Math.min(
      tolerance / 2,
      sigmaOfMedianAbsolute * median(weightedPoints.map(({ point }) => Math.abs(computePlaneDistance(next, point)))),
    );
  }
  const slopeFactor = Math.sqrt(1 + plane.b ** 2 + plane.c ** 2);
  // The effective number of the weighted points, less the two slopes that are fitted in addition to the depth.
  const count = Math.max(1, (sum * sum) / squares - 2);
  return { ...plane, scatter, sigma: (Math.max(minScatterMetres, scatter) * slopeFactor) / Math.sqrt(count) };
}

function fitLeastSquares(points: readonly { readonly point: NearPoint; readonly weight: number }[]): Plane | undefined {
  let [n, su, sv, suu, suv, svv, sd, sud, svd] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (const {
    point: { u, v, depth },
    weight,
  } of points) {
    n += weight;
    su += weight * u;
    sv += weight * v;
    suu += weight * u * u;
    suv += weight * u * v;
    svv += weight * v * v;
    sd += weight * depth;
    sud += weight * u * depth;
    svd += weight * v * depth;
  }
  const [iuu, iuv, ivv] = [suu * svv - suv * suv, suv * sv - su * svv, su * suv - suu * sv];
  const determinant = n * iuu + su * iuv + sv * ivv;
  if (points.length < 3 || !(Math.abs(determinant) > 1e-18)) return undefined;
  const plane = {
    depth: (sd * iuu + sud * iuv + svd * ivv) / determinant,
    b: (sd * iuv + sud * (n * svv - sv * sv) + svd * (su * sv - n * suv)) / determinant,
    c: (sd * ivv + sud * (su * sv - n * suv) + svd * (n * suu - su * su)) / determinant,
  };
  return Math.hypot(plane.b, plane.c) <= maxSlope * 1.5 ? plane : undefined;
}
