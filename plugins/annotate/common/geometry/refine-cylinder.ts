import { perpendicularAxes, dotProduct, vectorLength, minus, plus, times, unitVector, type Point3 } from '#core';

/** An infinite cylinder. */
export interface Cylinder {
  readonly axis: Point3;
  /** A point of the axis. */
  readonly centre: Point3;
  readonly radius: number;
}

export interface RefinedCylinder extends Cylinder {
  /** Robust spread of the points around the surface, metres: 1.4826 times the median of their distances. */
  readonly spread: number;
  /**
   * One standard deviation of the radius, metres, from the curvature of the sum of squares at its minimum and the
   * scatter of the points.
   */
  readonly radiusSigma: number;
}

/**
 * Tukey's constant: 95 % efficiency for normal noise, weight zero beyond it.
 *
 * @see Huber and Ronchetti, Robust Statistics, 2009, section 4.8
 */
const tukey = 4.685;
/** Smallest scale, metres: a scan of a model has no noise. */
const minSpread = 0.0002;
/** Largest scale, metres: if half of the points are not on the pipe, their median says nothing about its noise. */
const maxSpread = 0.005;
const rounds = 2;
const maxSteps = 15;
const raySteps = 4;
const parameters = 5;
/** Cosine of 80 degrees: grazing rays do not locate the surface. */
const minFacing = 0.17;

/** Signed distance of each point (x y z interleaved) from the cylinder's surface, outside positive. */
export function distancesTo(
  { axis, centre, radius }: Cylinder,
  points: Float64Array,
  into = new Float64Array(points.length / 3),
): Float64Array {
  const [ax, ay, az] = axis;
  for (let i = 0; i < into.length; i += 1) {
    const dx = (points[i * 3] ?? 0) - centre[0];
    const dy = (points[i * 3 + 1] ?? 0) - centre[1];
    const dz = (points[i * 3 + 2] ?? 0) - centre[2];
    const along = dx * ax + dy * ay + dz * az;
    into[i] = Math.sqrt(Math.max(0, dx * dx + dy * dy + dz * dz - along * along)) - radius;
  }
  return into;
}

/** 1.4826 times the median of the absolute values: a standard deviation that tolerates a third of outliers. */
export function computeSpread(distances: Float64Array): number {
  const sorted = distances.map(Math.abs).sort();
  return (sorted[sorted.length >> 1] ?? 0) * 1.4826;
}

/**
 * Minimizes the weighted sum of squared distances (Levenberg-Marquardt with Tukey's weights) over tilt and offset of
 * the axis and radius. A scanner's noise lies along its rays and would shrink a pipe seen from one side by about sigma²
 * / radius. With `eye`, the viewpoint, the last steps use ray intersections to avoid that.
 */
export function refineCylinder(start: Cylinder, points: Float64Array, eye?: Point3): RefinedCylinder | undefined {
  let cylinder = start;
  let distances = distancesTo(cylinder, points);
  let normalEquations: readonly number[] = [];
  const limit = start.radius * 4;
  for (let round = 0; round < rounds; round += 1) {
    const cut = Math.min(maxSpread, Math.max(minSpread, computeSpread(distances))) * tukey;
    let cost = computeCost(distances, cut);
    let damping = 1e-3;
    for (let step = 0; step < maxSteps; step += 1) {
      const { matrix, right, across } = buildNormalEquations(cylinder, points, distances, cut);
      normalEquations = matrix;
      let better = false;
      let settled = false;
      for (let attempt = 0; attempt < 6 && !better; attempt += 1) {
        const change = solve(
          matrix.map((value, k) => (k % (parameters + 1) === 0 ? value * (1 + damping) + 1e-12 : value)),
          right,
        );
        const moved = change && shifted(cylinder, across, change);
        const trial = moved && moved.radius > 0 && moved.radius < limit ? distancesTo(moved, points) : undefined;
        const trialCost = trial ? computeCost(trial, cut) : Infinity;
        if (moved && trial && trialCost <= cost) {
          better = true;
          settled = cost - trialCost < 1e-9 * cost;
          [cylinder, distances, cost] = [moved, trial, trialCost];
          damping = Math.max(1e-9, damping / 5);
        } else damping *= 10;
      }
      if (!better || settled) break;
    }
  }
  if (eye) {
    const cut = Math.min(maxSpread, Math.max(minSpread, computeSpread(distances))) * tukey;
    for (let step = 0; step < raySteps; step += 1) {
      const { matrix, right, across } = buildRayEquations(cylinder, points, eye, cut);
      const change = solve(matrix, right);
      const moved = change && shifted(cylinder, across, change);
      if (!moved || !(Math.abs(moved.radius - start.radius) < start.radius)) break;
      cylinder = moved;
    }
    distances = distancesTo(cylinder, points);
  }
  const variance = radiusVariance(normalEquations);
  if (variance === undefined) return undefined;
  const spread = computeSpread(distances);
  return { ...cylinder, spread, radiusSigma: Math.sqrt(variance) * spread };
}

function computeCost(distances: Float64Array, cut: number): number {
  let cost = 0;
  for (const distance of distances) {
    const share = distance / cut;
    cost += share * share >= 1 ? 1 : 1 - (1 - share * share) ** 3;
  }
  return cost;
}

function buildNormalEquations({ axis, centre }: Cylinder, points: Float64Array, distances: Float64Array, cut: number) {
  const across = perpendicularAxes(axis);
  const [[ux, uy, uz], [vx, vy, vz]] = across;
  const matrix = Array.from({ length: parameters * parameters }, () => 0);
  const right = Array.from({ length: parameters }, () => 0);
  for (let i = 0; i < distances.length; i += 1) {
    const distance = distances[i] ?? 0;
    const dx = (points[i * 3] ?? 0) - centre[0];
    const dy = (points[i * 3 + 1] ?? 0) - centre[1];
    const dz = (points[i * 3 + 2] ?? 0) - centre[2];
    const x = dx * ux + dy * uy + dz * uz;
    const y = dx * vx + dy * vy + dz * vz;
    const along = dx * axis[0] + dy * axis[1] + dz * axis[2];
    const away = Math.hypot(x, y) || 1e-9;
    addEquation(matrix, right, x / away, y / away, along, distance, cut);
  }
  mirror(matrix);
  return { matrix, right, across };
}

/** The variant with distances along the rays from the eye: see `refineCylinder`. */
function buildRayEquations({ axis, centre, radius }: Cylinder, points: Float64Array, eye: Point3, cut: number) {
  const across = perpendicularAxes(axis);
  const [u, v] = across;
  const matrix = Array.from({ length: parameters * parameters }, () => 0);
  const right = Array.from({ length: parameters }, () => 0);
  const from = minus(eye, centre);
  const [ex, ey, ez] = [dotProduct(from, u), dotProduct(from, v), dotProduct(from, axis)];
  for (let i = 0; i < points.length; i += 3) {
    const ray: Point3 = [(points[i] ?? 0) - eye[0], (points[i + 1] ?? 0) - eye[1], (points[i + 2] ?? 0) - eye[2]];
    const range = vectorLength(ray);
    const [x, y, z] = [dotProduct(ray, u) / range, dotProduct(ray, v) / range, dotProduct(ray, axis) / range];
    // Across the axis the ray is (ex, ey) + t (x, y). Solves for the point at one radius from the axis.
    const a = x * x + y * y;
    const b = x * ex + y * ey;
    const inside = b * b - a * (ex * ex + ey * ey - radius * radius);
    if (inside <= 0) continue;
    const met = (-b - Math.sqrt(inside)) / a;
    const [nx, ny] = [(ex + met * x) / radius, (ey + met * y) / radius];
    const facing = -(nx * x + ny * y);
    if (facing < minFacing) continue;
    addEquation(matrix, right, nx, ny, ez + met * z, (met - range) * facing, cut);
  }
  mirror(matrix);
  return { matrix, right, across };
}

/**
 * Adds a point to the upper triangle. (nx, ny) is the direction from the axis to it, `along` its position along the
 * axis.
 */
function addEquation(
  matrix: number[],
  right: number[],
  nx: number,
  ny: number,
  along: number,
  distance: number,
  cut: number,
): void {
  const share = distance / cut;
  if (share * share >= 1) return;
  const weight = (1 - share * share) ** 2;
  const slope = [-nx * along, -ny * along, -nx, -ny, -1];
  for (let a = 0; a < parameters; a += 1) {
    const weighted = weight * (slope[a] ?? 0);
    right[a] = (right[a] ?? 0) - weighted * distance;
    for (let b = a; b < parameters; b += 1)
      matrix[a * parameters + b] = (matrix[a * parameters + b] ?? 0) + weighted * (slope[b] ?? 0);
  }
}

function mirror(matrix: number[]): void {
  for (let a = 1; a < parameters; a += 1)
    for (let b = 0; b < a; b += 1) matrix[a * parameters + b] = matrix[b * parameters + a] ?? 0;
}

function shifted(
  { axis, centre, radius }: Cylinder,
  [u, v]: readonly [Point3, Point3],
  [tiltU = 0, tiltV = 0, right = 0, up = 0, wider = 0]: readonly number[],
): Cylinder {
  return {
    axis: unitVector(plus(axis, plus(times(u, tiltU), times(v, tiltV)))),
    centre: plus(centre, plus(times(u, right), times(v, up))),
    radius: radius + wider,
  };
}

/** The last element of the inverse: the variance of the radius for unit scatter. */
function radiusVariance(matrix: readonly number[]): number | undefined {
  const variance = matrix.length > 0 ? solve(matrix, [0, 0, 0, 0, 1])?.[4] : undefined;
  return variance !== undefined && variance > 0 ? variance : undefined;
}

/** Gaussian elimination with partial pivoting. Undefined for a singular matrix. */
function solve(matrix: readonly number[], right: readonly number[]): readonly number[] | undefined {
  const n = right.length;
  const rows = right.map((value, row) => [...matrix.slice(row * n, row * n + n), value]);
  for (let k = 0; k < n; k += 1) {
    let pivot = k;
    for (let row = k + 1; row < n; row += 1)
      if (Math.abs(rows[row]?.[k] ?? 0) > Math.abs(rows[pivot]?.[k] ?? 0)) pivot = row;
    const [top, bottom] = [rows[pivot], rows[k]];
    if (!top || !bottom || !top[k]) return undefined;
    [rows[k], rows[pivot]] = [top, bottom];
    for (let row = k + 1; row < n; row += 1) {
      const under = rows[row];
      if (!under) continue;
      const factor = (under[k] ?? 0) / (top[k] ?? 1);
      for (let column = k; column <= n; column += 1) under[column] = (under[column] ?? 0) - factor * (top[column] ?? 0);
    }
  }
  const solution = Array.from({ length: n }, () => 0);
  for (let row = n - 1; row >= 0; row -= 1) {
    const equation = rows[row] ?? [];
    let rest = equation[n] ?? 0;
    for (let column = row + 1; column < n; column += 1) rest -= (equation[column] ?? 0) * (solution[column] ?? 0);
    solution[row] = rest / (equation[row] ?? 1);
  }
  return solution.every(Number.isFinite) ? solution : undefined;
}

/** The foot of `point` on the axis. */
export function onAxis({ axis, centre }: Cylinder, point: Point3): Point3 {
  return plus(centre, times(axis, dotProduct(minus(point, centre), axis)));
}

/** Distance of a point from the surface, metres. */
export function distanceTo(cylinder: Cylinder, point: Point3): number {
  return Math.abs(vectorLength(minus(point, onAxis(cylinder, point))) - cylinder.radius);
}
