import type { Point3 } from './view-state.ts';

/** The upper triangle of a symmetric 3 x 3 matrix: xx, xy, xz, yy, yz, zz. */
export type Symmetric3 = readonly [number, number, number, number, number, number];

export interface Eigen3 {
  /** In ascending order. */
  readonly values: Point3;
  /** Unit vectors, in the order of the values. */
  readonly vectors: readonly [Point3, Point3, Point3];
}

const maxSweeps = 40;
/** Off-diagonal entries below this fraction of the diagonal count as zero. */
const relativeTolerance = 1e-17;

/**
 * Eigenvalues and eigenvectors by Jacobi rotations.
 *
 * @see Golub and Van Loan, Matrix Computations, section 8.5
 */
export function computeEigen(matrix: Symmetric3): Eigen3 {
  const a = [matrix[0], matrix[1], matrix[2], matrix[1], matrix[3], matrix[4], matrix[2], matrix[4], matrix[5]];
  const v = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const scale = Math.abs(matrix[0]) + Math.abs(matrix[3]) + Math.abs(matrix[5]);
  const at = (cells: readonly number[], row: number, column: number): number => cells[row * 3 + column] ?? 0;
  for (let sweep = 0; sweep < maxSweeps; sweep += 1) {
    let [p, q] = [0, 1];
    if (Math.abs(at(a, 0, 2)) > Math.abs(at(a, p, q))) [p, q] = [0, 2];
    if (Math.abs(at(a, 1, 2)) > Math.abs(at(a, p, q))) [p, q] = [1, 2];
    if (Math.abs(at(a, p, q)) <= scale * relativeTolerance) break;
    const theta = (at(a, q, q) - at(a, p, p)) / (2 * at(a, p, q));
    const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
    const cosine = 1 / Math.sqrt(tangent * tangent + 1);
    const sine = tangent * cosine;
    for (let k = 0; k < 3; k += 1) rotate(a, k * 3 + p, k * 3 + q, cosine, sine);
    for (let k = 0; k < 3; k += 1) rotate(a, p * 3 + k, q * 3 + k, cosine, sine);
    for (let k = 0; k < 3; k += 1) rotate(v, k * 3 + p, k * 3 + q, cosine, sine);
  }
  const column = (k: number): Point3 => [at(v, 0, k), at(v, 1, k), at(v, 2, k)];
  const [i, j, k] = [0, 1, 2].toSorted((x, y) => at(a, x, x) - at(a, y, y)) as [number, number, number];
  return { values: [at(a, i, i), at(a, j, j), at(a, k, k)], vectors: [column(i), column(j), column(k)] };
}

function rotate(cells: number[], i: number, j: number, cosine: number, sine: number): void {
  const x = cells[i] ?? 0;
  const y = cells[j] ?? 0;
  cells[i] = cosine * x - sine * y;
  cells[j] = sine * x + cosine * y;
}
