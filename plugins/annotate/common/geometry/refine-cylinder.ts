import { perpendicularAxes, dotProduct, vectorLength, minus, plus, times, unitVector, type Point3 } from '#core';

/** An infinite cylinder. */
export interface Cylinder {
  readonly axis: Point3;
  /** A point of the axis. */
  readonly centre: Point3;
  readonly radius: number;
}

export interface RefinedCylinder extends Cylinder {
  /** Robust spread of the points around the surface in metres, computed by `computeSpread`. */
  readonly spread: number;
  /**
   * One standard deviation of the radius, metres, from the curvature of the sum of squares at its minimum and the
   * scatter of the points.
   */
  readonly radiusSigma: number;
}

/**
 * Tukey's constant, which gives 95 % efficiency for normal noise. The weight of points beyond it is zero.
 *
 * @see Huber and Ronchetti, Robust Statistics, 2009, section 4.8
 */
const tukeyConstant = 4.685;
/** Smallest assumed spread in metres, because a scan of a model has no noise. */
const minSpread = 0.0002;
/**
 * Largest assumed spread in metres. If half of the points are not on the pipe, their median says nothing about its
 * noise.
 */
const maxSpread = 0.005;
const weightRounds = 2;
const maxIterations = 15;
const raySteps = 4;
const parameterCount = 5;
/** Cosine of 80 degrees. Rays that graze the surface at a larger angle do not locate it. */
const minFacingCosine = 0.17;

/** Computes the signed distances of points (x y z interleaved) from the cylinder's surface. Positive is outside. */
export function computeDistances(
  { axis, centre, radius }: Cylinder,
  points: Float64Array,
  output = new Float64Array(points.length / 3),
): Float64Array {
  const [ax, ay, az] = axis;
  for (let i = 0; i < output.length; i += 1) {
    const dx = (points[i * 3] ?? 0) - centre[0];
    const dy = (points[i * 3 + 1] ?? 0) - centre[1];
    const dz = (points[i * 3 + 2] ?? 0) - centre[2];
    const along = dx * ax + dy * ay + dz * az;
    output[i] = Math.sqrt(Math.max(0, dx * dx + dy * dy + dz * dz - along * along)) - radius;
  }
  return output;
}

/** A standard deviation that tolerates up to a third of outliers: 1.4826 times the median of the absolute values. */
export function computeSpread(distances: Float64Array): number {
  const sorted = distances.map(Math.abs).sort();
  return (sorted[sorted.length >> 1] ?? 0) * 1.4826;
}

/**
 * Fits axis and radius by least squares (Levenberg-Marquardt with Tukey's weights). A scanner's noise lies along its
 * rays and would shrink a pipe that is seen from one side by about sigma² / radius. With the viewpoint `eye`, the last
 * steps avoid that by distances along the rays.
 */
export function refineCylinder(start: Cylinder, points: Float64Array, eye?: Point3): RefinedCylinder | undefined {
  let cylinder = start;
  let distances = computeDistances(cylinder, points);
  let normalEquations: readonly number[] = [];
  const maxRadius = start.radius * 4;
  for (let round = 0; round < weightRounds; round += 1) {
    const maxDistance = Math.min(maxSpread, Math.max(minSpread, computeSpread(distances))) * tukeyConstant;
    let cost = computeCost(distances, maxDistance);
    let damping = 1e-3;
    for (let step = 0; step < maxIterations; step += 1) {
      const { matrix, rightSide, axes } = buildNormalEquations(cylinder, points, distances, maxDistance);
      normalEquations = matrix;
      let improved = false;
      let converged = false;
      for (let attempt = 0; attempt < 6 && !improved; attempt += 1) {
        const change = solve(
          matrix.map((value, k) => (k % (parameterCount + 1) === 0 ? value * (1 + damping) + 1e-12 : value)),
          rightSide,
        );
        const movedCylinder = change && moveCylinder(cylinder, axes, change);
        const movedDistances =
          movedCylinder && movedCylinder.radius > 0 && movedCylinder.radius < maxRadius
            ? computeDistances(movedCylinder, points)
            : undefined;
        const movedCost = movedDistances ? computeCost(movedDistances, maxDistance) : Infinity;
        if (movedCylinder && movedDistances && movedCost <= cost) {
          improved = true;
          converged = cost - movedCost < 1e-9 * cost;
          [cylinder, distances, cost] = [movedCylinder, movedDistances, movedCost];
          damping = Math.max(1e-9, damping / 5);
        } else damping *= 10;
      }
      if (!improved || converged) break;
    }
  }
  if (eye) {
    const maxDistance = Math.min(maxSpread, Math.max(minSpread, computeSpread(distances))) * tukeyConstant;
    for (let step = 0; step < raySteps; step += 1) {
      const { matrix, rightSide, axes } = buildRayEquations(cylinder, points, eye, maxDistance);
      const change = solve(matrix, rightSide);
      const movedCylinder = change && moveCylinder(cylinder, axes, change);
      if (!movedCylinder || !(Math.abs(movedCylinder.radius - start.radius) < start.radius)) break;
      cylinder = movedCylinder;
    }
    distances = computeDistances(cylinder, points);
  }
  const variance = computeRadiusVariance(normalEquations);
  if (variance === undefined) return undefined;
  const spread = computeSpread(distances);
  return { ...cylinder, spread, radiusSigma: Math.sqrt(variance) * spread };
}

function computeCost(distances: Float64Array, maxDistance: number): number {
  let cost = 0;
  for (const distance of distances) {
    const fraction = distance / maxDistance;
    cost += fraction * fraction >= 1 ? 1 : 1 - (1 - fraction * fraction) ** 3;
  }
  return cost;
}

function buildNormalEquations(
  { axis, centre }: Cylinder,
  points: Float64Array,
  distances: Float64Array,
  maxDistance: number,
) {
  const axes = perpendicularAxes(axis);
  const [[ux, uy, uz], [vx, vy, vz]] = axes;
  const matrix = Array.from({ length: parameterCount * parameterCount }, () => 0);
  const rightSide = Array.from({ length: parameterCount }, () => 0);
  for (let i = 0; i < distances.length; i += 1) {
    const distance = distances[i] ?? 0;
    const dx = (points[i * 3] ?? 0) - centre[0];
    const dy = (points[i * 3 + 1] ?? 0) - centre[1];
    const dz = (points[i * 3 + 2] ?? 0) - centre[2];
    const x = dx * ux + dy * uy + dz * uz;
    const y = dx * vx + dy * vy + dz * vz;
    const along = dx * axis[0] + dy * axis[1] + dz * axis[2];
    const radialDistance = Math.hypot(x, y) || 1e-9;
    addEquation(matrix, rightSide, x / radialDistance, y / radialDistance, along, distance, maxDistance);
  }
  mirrorMatrix(matrix);
  return { matrix, rightSide, axes };
}

/** Builds the normal equations from distances along the rays from the eye. */
function buildRayEquations({ axis, centre, radius }: Cylinder, points: Float64Array, eye: Point3, maxDistance: number) {
  const axes = perpendicularAxes(axis);
  const [u, v] = axes;
  const matrix = Array.from({ length: parameterCount * parameterCount }, () => 0);
  const rightSide = Array.from({ length: parameterCount }, () => 0);
  const eyeOffset = minus(eye, centre);
  const [ex, ey, ez] = [dotProduct(eyeOffset, u), dotProduct(eyeOffset, v), dotProduct(eyeOffset, axis)];
  for (let i = 0; i < points.length; i += 3) {
    const ray: Point3 = [(points[i] ?? 0) - eye[0], (points[i + 1] ?? 0) - eye[1], (points[i + 2] ?? 0) - eye[2]];
    const range = vectorLength(ray);
    const [x, y, z] = [dotProduct(ray, u) / range, dotProduct(ray, v) / range, dotProduct(ray, axis) / range];
    // Seen along the axis, the ray is (ex, ey) + t (x, y). It meets the surface at one radius from the axis.
    const a = x * x + y * y;
    const b = x * ex + y * ey;
    const discriminant = b * b - a * (ex * ex + ey * ey - radius * radius);
    if (discriminant <= 0) continue;
    const hitRange = (-b - Math.sqrt(discriminant)) / a;
    const [nx, ny] = [(ex + hitRange * x) / radius, (ey + hitRange * y) / radius];
    const facing = -(nx * x + ny * y);
    if (facing < minFacingCosine) continue;
    addEquation(matrix, rightSide, nx, ny, ez + hitRange * z, (hitRange - range) * facing, maxDistance);
  }
  mirrorMatrix(matrix);
  return { matrix, rightSide, axes };
}

/**
 * Adds a point to the upper triangle of the matrix. (nx, ny) is the direction from the axis to the point, and `along`
 * is the position of the point along the axis.
 */
function addEquation(
  matrix: number[],
  rightSide: number[],
  nx: number,
  ny: number,
  along: number,
  distance: number,
  maxDistance: number,
): void {
  const fraction = distance / maxDistance;
  if (fraction * fraction >= 1) return;
  const weight = (1 - fraction * fraction) ** 2;
  const gradient = [-nx * along, -ny * along, -nx, -ny, -1];
  for (let a = 0; a < parameterCount; a += 1) {
    const weightedGradient = weight * (gradient[a] ?? 0);
    rightSide[a] = (rightSide[a] ?? 0) - weightedGradient * distance;
    for (let b = a; b < parameterCount; b += 1)
      matrix[a * parameterCount + b] = (matrix[a * parameterCount + b] ?? 0) + weightedGradient * (gradient[b] ?? 0);
  }
}

function mirrorMatrix(matrix: number[]): void {
  for (let a = 1; a < parameterCount; a += 1)
    for (let b = 0; b < a; b += 1) matrix[a * parameterCount + b] = matrix[b * parameterCount + a] ?? 0;
}

function moveCylinder(
  { axis, centre, radius }: Cylinder,
  [u, v]: readonly [Point3, Point3],
  [tiltU = 0, tiltV = 0, offsetU = 0, offsetV = 0, radiusChange = 0]: readonly number[],
): Cylinder {
  return {
    axis: unitVector(plus(axis, plus(times(u, tiltU), times(v, tiltV)))),
    centre: plus(centre, plus(times(u, offsetU), times(v, offsetV))),
    radius: radius + radiusChange,
  };
}

/** Computes the variance of the radius for unit scatter, which is the last element of the inverse matrix. */
function computeRadiusVariance(matrix: readonly number[]): number | undefined {
  const variance = matrix.length > 0 ? solve(matrix, [0, 0, 0, 0, 1])?.[4] : undefined;
  return variance !== undefined && variance > 0 ? variance : undefined;
}

/** Solves linear equations by Gaussian elimination with partial pivoting. Undefined for a singular matrix. */
function solve(matrix: readonly number[], rightSide: readonly number[]): readonly number[] | undefined {
  const n = rightSide.length;
  const rows = rightSide.map((value, row) => [...matrix.slice(row * n, row * n + n), value]);
  for (let k = 0; k < n; k += 1) {
    let pivot = k;
    for (let row = k + 1; row < n; row += 1)
      if (Math.abs(rows[row]?.[k] ?? 0) > Math.abs(rows[pivot]?.[k] ?? 0)) pivot = row;
    const [top, bottom] = [rows[pivot], rows[k]];
    if (!top || !bottom || !top[k]) return undefined;
    [rows[k], rows[pivot]] = [top, bottom];
    for (let row = k + 1; row < n; row += 1) {
      const lowerRow = rows[row];
      if (!lowerRow) continue;
      const factor = (lowerRow[k] ?? 0) / (top[k] ?? 1);
      for (let column = k; column <= n; column += 1)
        lowerRow[column] = (lowerRow[column] ?? 0) - factor * (top[column] ?? 0);
    }
  }
  const solution = Array.from({ length: n }, () => 0);
  for (let row = n - 1; row >= 0; row -= 1) {
    const equation = rows[row] ?? [];
    let remainder = equation[n] ?? 0;
    for (let column = row + 1; column < n; column += 1) remainder -= (equation[column] ?? 0) * (solution[column] ?? 0);
    solution[row] = remainder / (equation[row] ?? 1);
  }
  return solution.every(Number.isFinite) ? solution : undefined;
}

/** Projects a point onto the axis. */
export function projectToAxis({ axis, centre }: Cylinder, point: Point3): Point3 {
  return plus(centre, times(axis, dotProduct(minus(point, centre), axis)));
}

/** Computes the distance of a point from the surface in metres. */
export function computeDistance(cylinder: Cylinder, point: Point3): number {
  return Math.abs(vectorLength(minus(point, projectToAxis(cylinder, point))) - cylinder.radius);
}
