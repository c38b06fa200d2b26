import {
  distanceTo,
  minScatter,
  median,
  tukey,
  type Neighbour,
  type Plane,
  type SeenPlane,
} from './planes-near-ray.ts';
import type { NearPoint } from './points-near-ray.ts';

/** The neighbourhood to fit, as a multiple of the plane's radius and of the plane's thickness in metres. */
const wider = { across: 1.3, off: 2 } as const;
const minPoints = 12;
/** Points by which the bent surface must fit better than the plane. */
const minGain = 0.5;
/** Metres: farther off the surface, all points have equal weight. */
const farOff = 0.01;
/** Metres: unit of lengths across the ray in the equations. */
const unit = 0.02;
const rounds = 5;
/**
 * A bent surface has a larger uncertainty than a plane from the same points.
 *
 * @see Fan and Gijbels 1996, section 3.3: local quadratic against local linear regression
 */
const lessSure = 1.5;

/**
 * Fits a quadric around the ray and returns its depth and slope on the ray. Undefined unless it fits better than the
 * plane, as on a pipe.
 */
export function bentPlane(
  plane: SeenPlane,
  points: readonly Neighbour[],
  onPlane: number,
): (Plane & Pick<SeenPlane, 'sigma'>) | undefined {
  const width = wider.across * plane.width;
  const near = points.flatMap((point) => {
    const away = Math.hypot(point.off, point.depth - plane.depth) / width;
    const off = distanceTo(plane, point);
    return away < 1 && Math.abs(off) < wider.off * onPlane ? [{ point, off, weight: (1 - away ** 2) ** 2 }] : [];
  });
  if (near.length < minPoints) return undefined;
  const lean = Math.sqrt(1 + plane.b ** 2 + plane.c ** 2);
  const [flat, bent] = [regression(near, 3, lean, onPlane), regression(near, 6, lean, onPlane)];
  if (!flat || !bent || computeCost(near, flat) - computeCost(near, bent) < minGain) return undefined;
  const [depth = 0, b = 0, c = 0] = bent.solution;
  return Math.abs(depth - plane.depth) > 2 * onPlane * lean
    ? undefined
    : { depth, b: b / unit, c: c / unit, sigma: plane.sigma * lessSure };
}

interface Weighted {
  readonly point: NearPoint;
  /** Initial tolerance in metres off the plane. */
  readonly off: number;
  readonly weight: number;
}

interface Regression {
  readonly solution: readonly number[];
  /** Residual of each point in metres. */
  readonly offs: readonly number[];
}

const computeTerms = ({ u, v }: NearPoint, size: 3 | 6): readonly number[] =>
  [1, u / unit, v / unit, (u / unit) ** 2, (u * v) / unit ** 2, (v / unit) ** 2].slice(0, size);

/** Robust least squares of the depth. `terms`: 3 for a plane, 6 for a quadric. */
function regression(near: readonly Weighted[], size: 3 | 6, lean: number, onPlane: number): Regression | undefined {
  const rows = near.map(({ point }) => computeTerms(point, size));
  let found: Regression = { solution: [], offs: near.map(({ off }) => off) };
  let scatter = onPlane / 2;
  for (let round = 0; round < rounds; round++) {
    const cut = Math.max(minScatter, scatter) * tukey;
    const matrix = Array.from({ length: size }, () => Array.from({ length: size + 1 }, () => 0));
    for (const [k, row] of rows.entries()) {
      const share = (found.offs[k] ?? 0) / cut;
      const weight = share * share < 1 ? (near[k]?.weight ?? 0) * (1 - share * share) ** 2 : 0;
      if (weight === 0) continue;
      const full = [...row, near[k]?.point.depth ?? 0];
      for (const [a, equation] of matrix.entries())
        for (let b = 0; b <= size; b++) equation[b] = (equation[b] ?? 0) + weight * (row[a] ?? 0) * (full[b] ?? 0);
    }
    const solution = solved(matrix);
    if (!solution) return undefined;
    found = {
      solution,
      offs: rows.map(
        (row, k) =>
          ((near[k]?.point.depth ?? 0) - row.reduce((sum, term, a) => sum + term * (solution[a] ?? 0), 0)) / lean,
      ),
    };
    scatter = Math.min(onPlane / 2, 1.4826 * median(found.offs.map(Math.abs)));
  }
  return found;
}

const computeCost = (near: readonly Weighted[], { offs }: Regression): number =>
  near.reduce((sum, { weight }, k) => sum + weight * Math.min(1, ((offs[k] ?? 0) / farOff) ** 2), 0);

/** Gauss-Jordan elimination with pivoting; undefined without a unique solution. */
function solved(rows: number[][]): readonly number[] | undefined {
  const size = rows.length;
  for (let k = 0; k < size; k++) {
    const pivot = rows
      .slice(k)
      .reduce((best, row, at) => (Math.abs(row[k] ?? 0) > Math.abs(rows[best]?.[k] ?? 0) ? k + at : best), k);
    const [top, under] = [rows[pivot], rows[k]];
    if (!top || !under || !(Math.abs(top[k] ?? 0) > 1e-9)) return undefined;
    [rows[k], rows[pivot]] = [top, under];
    for (const row of rows) {
      if (row === top) continue;
      const factor = (row[k] ?? 0) / (top[k] ?? 1);
      for (let column = k; column <= size; column++) row[column] = (row[column] ?? 0) - factor * (top[column] ?? 0);
    }
  }
  return rows.map((row, k) => (row[size] ?? 0) / (row[k] ?? 1));
}
