import {
  computePlaneDistance,
  minScatterMetres,
  median,
  sigmaOfMedianAbsolute,
  tukeyConstant,
  type Neighbour,
  type Plane,
  type SeenPlane,
} from './planes-near-ray.ts';
import type { NearPoint } from './points-near-ray.ts';

/** The points to fit are within these multiples of the plane's fit radius and of its tolerance. */
const neighbourhood = { widthFactor: 1.3, toleranceFactor: 2 } as const;
const minPoints = 12;
/** Minimum gain of the curved surface over the plane, as a number of points. */
const minGain = 0.5;
/** Points farther off the surface have the same cost. */
const maxResidualMetres = 0.01;
/** Unit of lengths across the ray in the equations, so that their terms have similar sizes. */
const lengthUnitMetres = 0.02;
const iterations = 5;
/**
 * A curved surface has a larger uncertainty than a plane from the same points.
 *
 * @see Fan and Gijbels 1996, section 3.3: local quadratic against local linear regression
 */
const curvedSigmaFactor = 1.5;

/**
 * Fits a quadric around the ray and returns its depth and slope on the ray. Undefined unless it fits better than the
 * plane, as on a pipe.
 */
export function fitCurvedSurface(
  plane: SeenPlane,
  points: readonly Neighbour[],
  planeTolerance: number,
): (Plane & Pick<SeenPlane, 'sigma'>) | undefined {
  const width = neighbourhood.widthFactor * plane.fitRadius;
  const weightedPoints = points.flatMap((point) => {
    const distance = Math.hypot(point.rayDistance, point.depth - plane.depth) / width;
    const planeDistance = computePlaneDistance(plane, point);
    return distance < 1 && Math.abs(planeDistance) < neighbourhood.toleranceFactor * planeTolerance
      ? [{ point, planeDistance, weight: (1 - distance ** 2) ** 2 }]
      : [];
  });
  if (weightedPoints.length < minPoints) return undefined;
  const slopeFactor = Math.sqrt(1 + plane.b ** 2 + plane.c ** 2);
  const [planeFit, curvedFit] = [
    fitRegression(weightedPoints, 3, slopeFactor, planeTolerance),
    fitRegression(weightedPoints, 6, slopeFactor, planeTolerance),
  ];
  if (
    !planeFit ||
    !curvedFit ||
    computeCost(weightedPoints, planeFit) - computeCost(weightedPoints, curvedFit) < minGain
  )
    return undefined;
  const [depth = 0, b = 0, c = 0] = curvedFit.solution;
  return Math.abs(depth - plane.depth) > 2 * planeTolerance * slopeFactor
    ? undefined
    : { depth, b: b / lengthUnitMetres, c: c / lengthUnitMetres, sigma: plane.sigma * curvedSigmaFactor };
}

interface WeightedPoint {
  readonly point: NearPoint;
  /** Initial distance from the plane in metres. */
  readonly planeDistance: number;
  readonly weight: number;
}

interface Regression {
  readonly solution: readonly number[];
  /** Residual of each point in metres. */
  readonly residuals: readonly number[];
}

const computeTerms = ({ u, v }: NearPoint, size: 3 | 6): readonly number[] =>
  [
    1,
    u / lengthUnitMetres,
    v / lengthUnitMetres,
    (u / lengthUnitMetres) ** 2,
    (u * v) / lengthUnitMetres ** 2,
    (v / lengthUnitMetres) ** 2,
  ].slice(0, size);

/** Fits the depth by robust least squares. `size` is 3 for a plane and 6 for a quadric. */
function fitRegression(
  weightedPoints: readonly WeightedPoint[],
  size: 3 | 6,
  slopeFactor: number,
  planeTolerance: number,
): Regression | undefined {
  const rows = weightedPoints.map(({ point }) => computeTerms(point, size));
  let current: Regression = { solution: [], residuals: weightedPoints.map(({ planeDistance }) => planeDistance) };
  let scatter = planeTolerance / 2;
  for (let round = 0; round < iterations; round++) {
    const cutoff = Math.max(minScatterMetres, scatter) * tukeyConstant;
    const matrix = Array.from({ length: size }, () => Array.from({ length: size + 1 }, () => 0));
    for (const [k, row] of rows.entries()) {
      const fraction = (current.residuals[k] ?? 0) / cutoff;
      const weight = fraction * fraction < 1 ? (weightedPoints[k]?.weight ?? 0) * (1 - fraction * fraction) ** 2 : 0;
      if (weight === 0) continue;
      const equationTerms = [...row, weightedPoints[k]?.point.depth ?? 0];
      for (const [a, equation] of matrix.entries())
        for (let b = 0; b <= size; b++)
          equation[b] = (equation[b] ?? 0) + weight * (row[a] ?? 0) * (equationTerms[b] ?? 0);
    }
    const solution = solveLinearSystem(matrix);
    if (!solution) return undefined;
    current = {
      solution,
      residuals: rows.map(
        (row, k) =>
          ((weightedPoints[k]?.point.depth ?? 0) - row.reduce((sum, term, a) => sum + term * (solution[a] ?? 0), 0)) /
          slopeFactor,
      ),
    };
    scatter = Math.min(planeTolerance / 2, sigmaOfMedianAbsolute * median(current.residuals.map(Math.abs)));
  }
  return current;
}

const computeCost = (weightedPoints: readonly WeightedPoint[], { residuals }: Regression): number =>
  weightedPoints.reduce(
    (sum, { weight }, k) => sum + weight * Math.min(1, ((residuals[k] ?? 0) / maxResidualMetres) ** 2),
    0,
  );

/** Solves equations by Gauss-Jordan elimination with pivoting; undefined without a unique solution. */
function solveLinearSystem(rows: number[][]): readonly number[] | undefined {
  const size = rows.length;
  for (let k = 0; k < size; k++) {
    const pivot = rows
      .slice(k)
      .reduce((best, row, at) => (Math.abs(row[k] ?? 0) > Math.abs(rows[best]?.[k] ?? 0) ? k + at : best), k);
    const [pivotRow, currentRow] = [rows[pivot], rows[k]];
    if (!pivotRow || !currentRow || !(Math.abs(pivotRow[k] ?? 0) > 1e-9)) return undefined;
    [rows[k], rows[pivot]] = [pivotRow, currentRow];
    for (const row of rows) {
      if (row === pivotRow) continue;
      const factor = (row[k] ?? 0) / (pivotRow[k] ?? 1);
      for (let column = k; column <= size; column++)
        row[column] = (row[column] ?? 0) - factor * (pivotRow[column] ?? 0);
    }
  }
  return rows.map((row, k) => (row[size] ?? 0) / (row[k] ?? 1));
}
