import { Matrix, SingularValueDecomposition } from 'ml-matrix';
import { toDegrees, minus, normalizePan, unitVector, type Point3 } from '#core';
import { fromAxes, toPictureDirection, type CameraAxes, type CameraPose, type TiePoint } from './camera-pose.ts';

/**
 * Computes the heading of a level camera: the circular mean of the differences between the bearing of each point and
 * its direction in the picture. Ties are weighted by their horizontal component, because steep directions have an
 * inaccurate bearing.
 */
export function solveHeading(position: Point3, ties: readonly TiePoint[]): number {
  let [sine, cosine] = [0, 0];
  for (const tie of ties) {
    const [right, forward] = toPictureDirection(tie);
    const [east, north] = unitVector(minus(tie.point, position));
    sine += east * forward - north * right;
    cosine += north * forward + east * right;
  }
  return normalizePan(toDegrees(Math.atan2(sine, cosine)));
}

/**
 * Computes the orientation with the least sum of squared differences between the directions.
 *
 * @see Wahba, "A least squares estimate of satellite attitude", SIAM Review 7 (1965)
 * @see Markley, "Attitude determination using vector observations and the singular value decomposition", Journal of the
 *   Astronautical Sciences 36 (1988)
 */
export function solveOrientation(position: Point3, ties: readonly TiePoint[]): Omit<CameraPose, 'position'> {
  const profile = Matrix.zeros(3, 3);
  for (const tie of ties) {
    const site = unitVector(minus(tie.point, position));
    profile.add(Matrix.columnVector([...site]).mmul(Matrix.rowVector([...toPictureDirection(tie)])));
  }
  const { leftSingularVectors: u, rightSingularVectors: v } = new SingularValueDecomposition(profile);
  const isMirrored = computeDeterminant(u) * computeDeterminant(v) < 0;
  const rotation = u.mmul(Matrix.diagonal([1, 1, isMirrored ? -1 : 1])).mmul(v.transpose());
  return fromAxes([0, 1, 2].map((column) => rotation.getColumn(column)) as unknown as CameraAxes);
}

function computeDeterminant(matrix: Matrix): number {
  const [[a, b, c], [d, e, f], [g, h, i]] = matrix.to2DArray() as [Triple, Triple, Triple];
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
}
type Triple = [number, number, number];
