export interface Circle {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

const maxIterations = 50;

/**
 * Fits a circle to points of a plane (x y interleaved) by Taubin's method, which is nearly unbiased on short arcs. It
 * applies Newton's method to the characteristic polynomial. `isIncluded` filters points by index. Undefined if the
 * points are too few or collinear.
 *
 * @see Taubin 1991; Chernov, Circular and Linear Regression, 2010, section 5.9
 */
export function fitCircle(points: Float64Array, isIncluded?: (index: number) => boolean): Circle | undefined {
  const count = points.length / 2;
  let [n, mx, my] = [0, 0, 0];
  for (let i = 0; i < count; i += 1) {
    if (isIncluded && !isIncluded(i)) continue;
    n += 1;
    mx += points[i * 2] ?? 0;
    my += points[i * 2 + 1] ?? 0;
  }
  if (n < 3) return undefined;
  mx /= n;
  my /= n;
  let [xx, yy, xy, xz, yz, zz] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < count; i += 1) {
    if (isIncluded && !isIncluded(i)) continue;
    const x = (points[i * 2] ?? 0) - mx;
    const y = (points[i * 2 + 1] ?? 0) - my;
    const z = x * x + y * y;
    xx += (x * x) / n;
    yy += (y * y) / n;
    xy += (x * y) / n;
    xz += (x * z) / n;
    yz += (y * z) / n;
    zz += (z * z) / n;
  }
  const z = xx + yy;
  const covariance = xx * yy - xy * xy;
  const variance = zz - z * z;
  const a3 = 4 * z;
  const a2 = -3 * z * z - zz;
  const a1 = variance * z + 4 * covariance * z - xz * xz - yz * yz;
  const a0 = xz * (xz * yy - yz * xy) + yz * (yz * xx - xz * xy) - variance * covariance;
  let root = 0;
  let value = a0;
  for (let step = 0; step < maxIterations; step += 1) {
    const next = root - value / (a1 + root * (2 * a2 + 3 * a3 * root));
    if (next === root || !Number.isFinite(next)) break;
    const nextValue = a0 + next * (a1 + next * (a2 + next * a3));
    if (Math.abs(nextValue) >= Math.abs(value)) break;
    [root, value] = [next, nextValue];
  }
  const determinant = root * root - root * z + covariance;
  const x = (xz * (yy - root) - yz * xy) / determinant / 2;
  const y = (yz * (xx - root) - xz * xy) / determinant / 2;
  const radius = Math.sqrt(x * x + y * y + z);
  return Number.isFinite(radius) ? { x: x + mx, y: y + my, radius } : undefined;
}
