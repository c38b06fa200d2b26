import { reachAt, type NearPoint, type Ray } from './points-near-ray.ts';

/** A plane in a ray's frame: `depth` on the ray, and its slope per metre along `u` and `v`. */
export interface Plane {
  readonly depth: number;
  readonly b: number;
  readonly c: number;
}

export interface Neighbour extends NearPoint {
  /** Metres to the nearest other point. */
  readonly gap: number;
}

/** How the points of a surface are distributed around the ray. */
export interface Place {
  /** The points surround the ray. */
  readonly enclosed: boolean;
  /** Metres by which the ray passes the outermost point. */
  readonly over: number;
  /** Metres to the nearest. */
  readonly first: number;
  /** Radians off the ray to the nearest. */
  readonly nearest: number;
}

/** A plane with its points around the ray. */
export interface SeenPlane extends Place, Plane {
  readonly local: readonly Neighbour[];
  /** Number of its points within the search radius of the ray. */
  readonly count: number;
  /** One standard deviation of the depth, in metres. */
  readonly sigma: number;
  /** One standard deviation of single points around the plane. */
  readonly scatter: number;
  /** Metres between its points, and the maximum spacing if other surfaces around the ray are scanned less densely. */
  readonly spacing: number;
  readonly loose: number;
  /** Metres: radius around the ray from which the plane was fitted. */
  readonly width: number;
}

export interface SeenPlanes {
  readonly planes: readonly SeenPlane[];
  readonly points: readonly Neighbour[];
  /** Metres: maximum distance of a point from its plane. */
  readonly onPlane: number;
}

/** Seeds are the points nearest to the ray in each of these depth slices. */
const slice = 0.05;
const maxNeighbours = 80;
const planesForASeed = 20;
/** Tolerance of a plane: three sigma of a typical scanner, or the effect of curvature at a wide spacing. */
const planeTolerance = (usual: number): number => Math.max(0.01, usual / 20);
/** Points within this multiple of the tolerance are removed with a surface: strays, and the curve of a pipe. */
const cleared = 2;
const maxSurfaces = 3;
/** Tangent of 80 degrees: steeper surfaces are not measured. */
const maxSlope = 5.7;
const minPointsOnPlane = 5;
/** Fewer points may be coplanar strays, unless there are hardly any other points, as on a thin rail. */
const manyPoints = 8;
const alone = 0.7;
/** A plane with at least this many points is opaque. */
const certain = 24;
export const minPointsAround = 4;
/**
 * Multiples of the spacing: the neighbourhood of the ray, and the maximum distance of the nearest point if the points
 * surround the ray. Beyond, it is a hole in the object and not in its scan.
 */
const nearBy = 2.2;
const largestHole = 1.6;
/** The same if they do not surround it: maximum distance past the outermost point and from the nearest point. */
const maxOutside = { over: 0.5, first: 1.3 } as const;
/** Ratios by which the spacing of one surface may differ from that of all points around the ray. */
const [densest, sparsest] = [0.45, 2] as const;
/** Degrees: maximum gap in the ring of points around the ray. */
const widestGap = 150;
const fittedPoints = 10;
export const tukey = 4.685;
export const minScatter = 0.0015;
const rounds = 4;

/**
 * Finds all planes with enough points around or beside a ray, from triples of neighbours. Deterministic.
 *
 * @see Fischler and Bolles 1981 (RANSAC)
 */
export function planesNearRay(points: readonly NearPoint[], ray: Pick<Ray, 'aperture'>): SeenPlanes {
  const gaps = nearestNeighbours(points);
  // In a random distribution, the distance to the nearest point is half of the mean spacing.
  const usual = 2 * median([...gaps]);
  const onPlane = planeTolerance(usual);
  const all = points.map((point, k): Neighbour => ({ ...point, gap: gaps[k] ?? 0 }));
  const planes: SeenPlane[] = [];
  let hidden = Infinity;
  for (const seed of generateSeeds(points)) {
    const radius = reachAt(ray, seed.depth);
    if (seed.depth > hidden + radius) break;
    for (const found of planesIn(neighbours(all, seed.depth, radius), { radius, usual, onPlane })) {
      planes.push(found);
      if (found.enclosed && (found.local.length >= manyPoints || found.count >= certain))
        hidden = Math.min(hidden, found.depth);
    }
  }
  return { planes, points: all, onPlane };
}

/** Metres, positive behind the plane. */
export const distanceTo = ({ depth, b, c }: Plane, point: NearPoint): number =>
  (point.depth - depth - b * point.u - c * point.v) / Math.sqrt(1 + b * b + c * c);

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** The distribution of a plane's points around the ray. */
export function toPlace(points: readonly NearPoint[], spacing: number, depth: number): Place {
  const away = points.map((point) => Math.hypot(point.off, point.depth - depth));
  const ring = points.filter((_, k) => (away[k] ?? Infinity) <= nearBy * spacing);
  if (ring.length === 0) return { enclosed: false, over: Infinity, first: Infinity, nearest: Infinity };
  const gap = findGap(ring);
  const first = Math.min(...away);
  return {
    enclosed: first <= largestHole * spacing && gap.degrees <= widestGap,
    over: -Math.max(...ring.map(({ u, v }) => u * Math.cos(gap.middle) + v * Math.sin(gap.middle))),
    first,
    nearest: Math.min(...ring.map((point) => point.off / point.depth)),
  };
}

/** Whether the ray meets a plane within its points, or so close to them that the object may continue there. */
export const isMet = ({ enclosed, over, first }: Place, loose: number): boolean =>
  enclosed || (over <= maxOutside.over * loose && first <= maxOutside.first * loose);

interface Scale {
  readonly radius: number;
  /** Spacing of the points of all surfaces around the ray. */
  readonly usual: number;
  readonly onPlane: number;
}

/** Yields planes one by one, each from the points that the previous ones left. */
function* planesIn(near: readonly Neighbour[], scale: Scale): Generator<SeenPlane> {
  let left = near;
  for (let k = 0; k < maxSurfaces && left.length >= minPointsOnPlane; k++) {
    const plane = bestPlane(left, scale);
    if (!plane) return;
    const found = judged(plane, left, scale);
    if (found) yield found;
    left = left.filter((point) => Math.abs(distanceTo(plane, point)) > cleared * scale.onPlane);
  }
}

function bestPlane(near: readonly Neighbour[], { radius, onPlane }: Scale): Plane | undefined {
  const [first] = near;
  if (!first) return undefined;
  let best: Plane | undefined;
  let bestScore = 0;
  for (const plane of planesThrough(near)) {
    if (Math.abs(plane.depth - first.depth) > radius) continue;
    let score = 0;
    for (const point of near)
      score += Math.max(0, 1 - (distanceTo(plane, point) / onPlane) ** 2) * Math.max(0, 1 - (point.off / radius) ** 2);
    if (score > bestScore) [best, bestScore] = [plane, score];
  }
  return best;
}

function* generateSeeds(points: readonly NearPoint[]): Generator<NearPoint> {
  for (let from = 0; from < points.length;) {
    const end = (points[from]?.depth ?? 0) + slice;
    let to = from;
    while (to < points.length && (points[to]?.depth ?? Infinity) <= end) to++;
    yield points.slice(from, to).reduce((a, b) => (b.off < a.off ? b : a));
    from = to;
  }
}

/** The points in a sphere around the ray's point at a depth, nearest first. */
function neighbours(points: readonly Neighbour[], depth: number, radius: number): readonly Neighbour[] {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle]?.depth ?? 0) < depth - radius) low = middle + 1;
    else high = middle;
  }
  const found: { readonly away: number; readonly neighbour: Neighbour }[] = [];
  for (let k = low; k < points.length; k++) {
    const neighbour = points[k];
    if (!neighbour || neighbour.depth > depth + radius) break;
    const away = Math.hypot(neighbour.off, neighbour.depth - depth);
    if (away <= radius) found.push({ away, neighbour });
  }
  return found
    .sort((a, b) => a.away - b.away)
    .slice(0, maxNeighbours)
    .map(({ neighbour }) => neighbour);
}

function nearestNeighbours(points: readonly NearPoint[]): Float64Array {
  const gaps = new Float64Array(points.length).fill(Infinity);
  for (const [k, a] of points.entries()) {
    for (let j = k + 1; j < points.length; j++) {
      const b = points[j];
      if (!b || b.depth - a.depth > Math.max(0.15, a.off)) break;
      const away = Math.hypot(a.u - b.u, a.v - b.v, a.depth - b.depth);
      if (away < (gaps[k] ?? 0)) gaps[k] = away;
      if (away < (gaps[j] ?? 0)) gaps[j] = away;
    }
  }
  return gaps;
}

/** Yields planes through three of the neighbours and prefers near ones. Deterministic. */
function* planesThrough(near: readonly Neighbour[]): Generator<Plane> {
  let state = 1;
  const any = (): Neighbour | undefined => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return near[Math.floor((state / 4_294_967_296) ** 2 * near.length)];
  };
  for (let k = 0; k < planesForASeed; k++) {
    const [p, q, r] = [any(), any(), any()];
    if (!p || !q || !r) continue;
    const area = (q.u - p.u) * (r.v - p.v) - (r.u - p.u) * (q.v - p.v);
    const size = Math.hypot(q.u - p.u, q.v - p.v) * Math.hypot(r.u - p.u, r.v - p.v);
    if (Math.abs(area) < 0.2 * size || size === 0) continue;
    const b = ((q.depth - p.depth) * (r.v - p.v) - (r.depth - p.depth) * (q.v - p.v)) / area;
    const c = ((r.depth - p.depth) * (q.u - p.u) - (q.depth - p.depth) * (r.u - p.u)) / area;
    if (Math.hypot(b, c) <= maxSlope) yield { depth: p.depth - b * p.u - c * p.v, b, c };
  }
}

/** Fits the plane where the ray meets it; undefined if it is not a surface there. */
function judged(plane: Plane, near: readonly Neighbour[], { radius, usual, onPlane }: Scale): SeenPlane | undefined {
  const on = near
    .flatMap((point) =>
      Math.abs(distanceTo(plane, point)) <= onPlane
        ? [{ point, away: Math.hypot(point.off, point.depth - plane.depth) }]
        : [],
    )
    .sort((a, b) => a.away - b.away);
  if (on.length < minPointsOnPlane) return undefined;
  const few = on.length < manyPoints;
  if (few && on.length < alone * near.length) return undefined;
  const apart = Math.min(few ? 1 : sparsest, (2 * median(on.map(({ point }) => point.gap))) / usual);
  const [spacing, loose] = [Math.max(densest, apart) * usual, Math.max(1, apart) * usual];
  const local = on.flatMap(({ point, away }) => (away <= nearBy * loose ? [point] : []));
  if (local.length < minPointsAround) return undefined;
  const place = toPlace(local, spacing, plane.depth);
  if (!isMet(place, loose)) return undefined;
  const width = Math.min(
    radius,
    Math.max(nearBy * spacing, (on[Math.min(on.length, fittedPoints) - 1]?.away ?? radius) * 1.2),
  );
  const fit = fitted(plane, near, width, onPlane);
  return fit && Math.abs(fit.depth - plane.depth) <= 2 * onPlane * Math.sqrt(1 + plane.b ** 2 + plane.c ** 2)
    ? { ...fit, ...place, local, count: on.length, spacing, loose, width }
    : undefined;
}

/** The widest gap in the ring of points around the ray, and its centre, in radians. */
function findGap(ring: readonly NearPoint[]): { readonly degrees: number; readonly middle: number } {
  const angles = ring.map(({ u, v }) => Math.atan2(v, u)).sort((a, b) => a - b);
  const gaps = angles.map((from, k) => ({ from, width: (angles[k + 1] ?? (angles[0] ?? 0) + 2 * Math.PI) - from }));
  const { from, width } = gaps.reduce((a, b) => (b.width > a.width ? b : a));
  return { degrees: (width * 180) / Math.PI, middle: from + width / 2 };
}

/**
 * Weighted least squares. Weights fall to zero at `width` from the ray and at a few standard deviations off the plane.
 *
 * @see Cleveland 1979, robust local regression
 */
function fitted(
  start: Plane,
  near: readonly NearPoint[],
  width: number,
  onPlane: number,
): (Plane & Pick<SeenPlane, 'scatter' | 'sigma'>) | undefined {
  let plane = start;
  let scatter = onPlane / 3;
  let [sum, squares] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    const { depth: at } = plane;
    const cut = Math.max(minScatter, scatter) * tukey;
    const weighted = near.flatMap((point) => {
      const [away, off] = [Math.hypot(point.off, point.depth - at) / width, distanceTo(plane, point)];
      return away < 1 && Math.abs(off) < cut
        ? [{ point, weight: (1 - away ** 2) ** 2 * (1 - (off / cut) ** 2) ** 2 }]
        : [];
    });
    const next = leastSquares(weighted);
    if (!next) return undefined;
    sum = weighted.reduce((total, { weight }) => total + weight, 0);
    squares = weighted.reduce((total, { weight }) => total + weight ** 2, 0);
    plane = next;
    scatter = Math.min(onPlane / 2, 1.4826 * median(weighted.map(({ point }) => Math.abs(distanceTo(next, point)))));
  }
  const lean = Math.sqrt(1 + plane.b ** 2 + plane.c ** 2);
  // A plane has three degrees of freedom.
  const count = Math.max(1, (sum * sum) / squares - 2);
  return { ...plane, scatter, sigma: (Math.max(minScatter, scatter) * lean) / Math.sqrt(count) };
}

function leastSquares(points: readonly { readonly point: NearPoint; readonly weight: number }[]): Plane | undefined {
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
