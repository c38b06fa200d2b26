import { Matrix, SingularValueDecomposition } from 'ml-matrix';
import {
  crossProduct,
  dotProduct,
  minus,
  perpendicularAxes,
  plus,
  times,
  unitVector,
  vectorLength,
  type Point3,
} from '#core';
import {
  fromAxes,
  toAxes,
  toCameraFrame,
  toPictureDirection,
  toSiteFrame,
  type CameraAxes,
  type CameraPose,
  type TiePoint,
} from './camera-pose.ts';

export interface Resection {
  readonly pose: CameraPose;
  /** One standard deviation of the position (root of the sum over the axes), metres. Undefined without redundancy. */
  readonly positionSigma: number | undefined;
}

const maxSteps = 60;
/** The iteration ends at a step below this length, metres and radians. */
const minStep = 1e-10;
/** Singular values below this fraction of the largest do not determine an unknown. */
const minConditioning = 1e-4;
/** The least standard deviation of a click, radians: about a pixel of a picture 8192 wide. */
const minClickSigma = 7.7e-4;
const unitAxes: readonly Point3[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/**
 * Finds position and orientation by Gauss-Newton steps on the bearing errors, damped as by Levenberg and Marquardt. A
 * level camera has the pitch and roll of the start. Undefined if the ties do not determine the unknowns.
 *
 * @see Triggs et al., "Bundle adjustment: a modern synthesis", Vision Algorithms (2000), sections 4 and 6
 */
export function solveResection(
  start: CameraPose,
  ties: readonly TiePoint[],
  unknowns: 'level' | 'free',
): Resection | undefined {
  const rotationAxes = unknowns === 'level' ? unitAxes.slice(2) : unitAxes;
  let current: State = { position: start.position, axes: toAxes(start) };
  let errors = computeErrors(current, ties);
  let damping = 1e-6;
  for (let step = 0; step < maxSteps; step += 1) {
    const change = findStep(computeJacobian(current, ties, rotationAxes), errors, damping);
    const next = applyStep(current, change, rotationAxes);
    const nextErrors = computeErrors(next, ties);
    const isBetter = sumSquares(nextErrors) <= sumSquares(errors);
    damping = isBetter ? damping / 10 : damping * 10;
    if (isBetter) [current, errors] = [next, nextErrors];
    if (Math.hypot(...change) < minStep) break;
  }
  return toResection(current, errors, computeJacobian(current, ties, rotationAxes));
}

interface State {
  readonly position: Point3;
  readonly axes: CameraAxes;
}

/** Two errors per tie in radians: the components of the point's direction across the tie's direction. */
function computeErrors({ position, axes }: State, ties: readonly TiePoint[]): readonly number[] {
  return ties.flatMap((tie) => {
    const measuredDirection = toPictureDirection(tie);
    const direction = unitVector(toCameraFrame(axes, minus(tie.point, position)));
    const across = perpendicularAxes(measuredDirection).map((axis) => dotProduct(axis, direction));
    // Components shrink behind the camera. Scaled by the angle, they do not look like a better fit.
    const length = Math.hypot(...across);
    const factor = length === 0 ? 1 : Math.atan2(length, dotProduct(measuredDirection, direction)) / length;
    return across.map((component) => component * factor);
  });
}

/** Computes the derivatives of the errors by the position and by rotations around axes of the site frame. */
function computeJacobian(
  { position, axes }: State,
  ties: readonly TiePoint[],
  rotationAxes: readonly Point3[],
): Matrix {
  const rows = ties.flatMap((tie) => {
    const ray = minus(tie.point, position);
    const distance = Math.max(vectorLength(ray), 1e-6);
    const direction = times(ray, 1 / distance);
    return perpendicularAxes(toPictureDirection(tie)).map((axis) => {
      const across = toSiteFrame(axes, axis);
      const byPosition = times(minus(across, times(direction, dotProduct(across, direction))), -1 / distance);
      const byRotations = rotationAxes.map((rotationAxis) => dotProduct(across, crossProduct(direction, rotationAxis)));
      return [...byPosition, ...byRotations];
    });
  });
  return new Matrix(rows);
}

function findStep(jacobian: Matrix, errors: readonly number[], damping: number): readonly number[] {
  const { diagonal, leftSingularVectors: u, rightSingularVectors: v } = decompose(jacobian);
  const largest = diagonal[0] ?? 0;
  const coefficients = diagonal.map((value, index) => {
    const projection = errors.reduce((sum, error, row) => sum + u.get(row, index) * error, 0);
    return (-projection * value) / (value ** 2 + damping * largest ** 2 + Number.MIN_VALUE);
  });
  return v.mmul(Matrix.columnVector(coefficients)).to1DArray();
}

function applyStep(
  { position, axes }: State,
  [east = 0, north = 0, up = 0, ...angles]: readonly number[],
  rotationAxes: readonly Point3[],
): State {
  const rotationVector = rotationAxes.map((axis, index) => times(axis, angles[index] ?? 0)).reduce(plus);
  const angle = vectorLength(rotationVector);
  const axis = unitVector(rotationVector);
  const rotate = (vector: Point3): Point3 =>
    plus(
      plus(times(vector, Math.cos(angle)), times(crossProduct(axis, vector), Math.sin(angle))),
      times(axis, dotProduct(axis, vector) * (1 - Math.cos(angle))),
    );
  return {
    position: plus(position, [east, north, up]),
    axes: [rotate(axes[0]), rotate(axes[1]), rotate(axes[2])],
  };
}

function toResection({ position, axes }: State, errors: readonly number[], jacobian: Matrix): Resection | undefined {
  const { diagonal, rightSingularVectors: v } = decompose(jacobian);
  const [largest = 0] = diagonal;
  // Negated, so that NaN is refused.
  if (!((diagonal.at(-1) ?? 0) > largest * minConditioning)) return undefined;
  const redundancy = jacobian.rows - jacobian.columns;
  const sigma = Math.max(minClickSigma, Math.sqrt(sumSquares(errors) / Math.max(1, redundancy)));
  const variance = [0, 1, 2].reduce(
    (sum, axis) =>
      sum + diagonal.reduce((partialSum, value, index) => partialSum + (v.get(axis, index) / value) ** 2, 0),
    0,
  );
  return {
    pose: { position, ...fromAxes(axes) },
    positionSigma: redundancy > 0 ? sigma * Math.sqrt(variance) : undefined,
  };
}

const decompose = (matrix: Matrix) => new SingularValueDecomposition(matrix, { autoTranspose: true });
const sumSquares = (values: readonly number[]): number => values.reduce((sum, value) => sum + value ** 2, 0);
