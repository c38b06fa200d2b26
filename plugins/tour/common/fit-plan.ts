import { toDegrees, normalizePan, toRadians } from '#core';
import type { DeckPlan } from '../contract/api.ts';
import type { PlanPoint } from '../contract/api/tour-content.ts';

/** Position, scale and heading of a plan in the site frame. */
export type PlanPlacement = Pick<DeckPlan, 'centre' | 'scale' | 'heading'>;
/** Size of the image of a plan, pixels. */
export type PlanSize = Pick<DeckPlan, 'width' | 'height'>;

export interface PlanFit extends PlanPlacement {
  /** Distance between each point and its fitted position, metres. */
  readonly residuals: readonly number[];
  /** Root mean square of the residuals, metres. */
  readonly rms: number;
  /** False for two points, whose residuals are always zero. */
  readonly redundant: boolean;
  /** True if the points fit the mirrored plan better. A placement cannot mirror. */
  readonly mirrored: boolean;
}

/**
 * Why points determine no placement. `fewPoints`: fewer than two. `samePlace` and `sameCoordinates`: equal on the plan
 * or in the site. `mirrored`: only a mirrored plan fits. `contradictory`: all headings fit equally badly. `scale`:
 * above `maxScale`.
 */
export type PlanFitProblem = 'fewPoints' | 'samePlace' | 'sameCoordinates' | 'mirrored' | 'contradictory' | 'scale';
export type PlanFitResult =
  | { readonly fit: PlanFit; readonly problem?: undefined }
  | { readonly fit?: undefined; readonly problem: PlanFitProblem };

/** Metres per pixel. */
export const maxScale = 1000;
/** A larger residual is probably a mistake. */
export const maxResidualMetres = 0.5;
/**
 * Smaller spreads of points count as zero. On the plan it is a fraction of the image's diagonal, on the ground it is
 * metres, and for the fitted plan it is a fraction of the spread on the ground.
 */
const minSpread = 1e-6;
/** A mirrored fit is better if its error is below this fraction of the error without mirroring. */
const mirroredFraction = 1 / 3;
/** Of two suspect points, one is named alone if the others then fit better by this factor. */
const clearlyBetterFraction = 1 / 2;

/** A complex number: right and up in pixels, or east and north in metres. */
type Complex = readonly [real: number, imaginary: number];

/**
 * Fits a placement to points by least squares over shift, rotation and scale, without mirroring. The errors are
 * measured on the ground. With complex numbers for plan (z, from the image's centre) and ground (w), the fit is w = c +
 * a z, where a = sum(conj(z - mean z) (w - mean w)) / sum(|z - mean z|²).
 *
 * @see Umeyama, "Least-squares estimation of transformation parameters between two point patterns", IEEE PAMI 13 (1991)
 */
export function fitPlan({ width, height }: PlanSize, points: readonly PlanPoint[]): PlanFitResult {
  if (points.length < 2) return { problem: 'fewPoints' };
  const pixels = points.map((point) => toPixels({ width, height }, point));
  const ground = points.map(({ east, north }): Complex => [east, north]);
  const [pixelMean, groundMean] = [computeMean(pixels), computeMean(ground)];
  const z = pixels.map((point) => minus(point, pixelMean));
  const w = ground.map((point) => minus(point, groundMean));
  const [planSpread, groundSpread] = [sumSquares(z), sumSquares(w)];
  // Negated, so that NaN is refused.
  if (!(Math.sqrt(planSpread) > minSpread * Math.hypot(width, height))) return { problem: 'samePlace' };
  if (!(Math.sqrt(groundSpread) > minSpread)) return { problem: 'sameCoordinates' };

  const plainFit = regress(z, w);
  const flippedFit = regress(z.map(conjugate), w);
  const scale = Math.hypot(...plainFit.factor);
  const isMirrored = plainFit.rms > maxResidualMetres && flippedFit.rms < plainFit.rms * mirroredFraction;
  if (!(scale * Math.sqrt(planSpread) > minSpread * Math.sqrt(groundSpread)))
    return { problem: isMirrored ? 'mirrored' : 'contradictory' };
  if (scale > maxScale) return { problem: 'scale' };
  return {
    fit: {
      centre: minus(groundMean, multiply(plainFit.factor, pixelMean)),
      scale,
      heading: normalizePan(toDegrees(-Math.atan2(plainFit.factor[1], plainFit.factor[0]))),
      residuals: plainFit.residuals,
      rms: plainFit.rms,
      redundant: new Set(points.map(({ x, y, east, north }) => [x, y, east, north].join())).size > 2,
      mirrored: isMirrored,
    },
  };
}

/**
 * Finds the points of which one is probably wrong: if any one of them is removed, the residuals of all others are at
 * most `maxResidualMetres`. Returns their indexes, the most probable one first, and only this one if it is much more
 * probable. Empty if no residual is too large, or for fewer than four points, because the two that remain of three
 * always fit.
 */
export function findSuspectPoints(size: PlanSize, points: readonly PlanPoint[]): readonly number[] {
  if (points.length < 4 || !(findLargestResidual(size, points) > maxResidualMetres)) return [];
  const candidates = points
    .map((_, index) => ({ index, residual: findLargestResidual(size, points.toSpliced(index, 1)) }))
    .filter(({ residual }) => residual <= maxResidualMetres)
    .toSorted((a, b) => a.residual - b.residual);
  const [first, second] = candidates;
  return first && second && first.residual < second.residual * clearlyBetterFraction
    ? [first.index]
    : candidates.map(({ index }) => index);
}

/** The largest residual of a fit with redundant points, metres. NaN if there is no such fit. */
function findLargestResidual(size: PlanSize, points: readonly PlanPoint[]): number {
  const { fit } = fitPlan(size, points);
  return fit?.redundant === true ? Math.max(...fit.residuals) : NaN;
}

/** Computes metres per pixel from the distance between two points. Undefined for equal points or an invalid distance. */
export function computeScale(
  { width, height }: PlanSize,
  a: Pick<PlanPoint, 'x' | 'y'>,
  b: Pick<PlanPoint, 'x' | 'y'>,
  metres: number,
): number | undefined {
  const pixels = Math.hypot((b.x - a.x) * width, (b.y - a.y) * height);
  const scale = metres / pixels;
  return pixels > minSpread * Math.hypot(width, height) && scale > 0 && scale <= maxScale ? scale : undefined;
}

/** Computes the placement of a plan with a known scale and heading from one point. */
export function placeByScale(
  { width, height }: PlanSize,
  { x, y, east, north }: PlanPoint,
  scale: number,
  heading: number,
): PlanPlacement {
  const angle = toRadians(-heading);
  const factor: Complex = [scale * Math.cos(angle), scale * Math.sin(angle)];
  return { centre: minus([east, north], multiply(factor, toPixels({ width, height }, { x, y }))), scale, heading };
}

/** Solves w = a z for a by least squares. Both sides must have the mean zero. */
function regress(z: readonly Complex[], w: readonly Complex[]) {
  const products = z.map((value, index) => multiply(conjugate(value), w[index]!));
  const sum = products.reduce(plus, [0, 0]);
  const spread = sumSquares(z);
  const factor: Complex = [sum[0] / spread, sum[1] / spread];
  const residuals = z.map((value, index) => Math.hypot(...minus(w[index]!, multiply(factor, value))));
  const rms = Math.sqrt(residuals.reduce((total, residual) => total + residual ** 2, 0) / residuals.length);
  return { factor, residuals, rms };
}

/**
 * Computes the mean relative to the first point, because projected coordinates have seven digits before the decimal
 * point.
 */
function computeMean(values: readonly Complex[]): Complex {
  const firstValue = values[0]!;
  const [real, imaginary] = values.map((value) => minus(value, firstValue)).reduce(plus, [0, 0]);
  return [firstValue[0] + real / values.length, firstValue[1] + imaginary / values.length];
}

/** Pixels to the right of the image's centre and above it. */
const toPixels = ({ width, height }: PlanSize, { x, y }: Pick<PlanPoint, 'x' | 'y'>): Complex => [
  (x - 0.5) * width,
  (0.5 - y) * height,
];
const plus = (a: Complex, b: Complex): Complex => [a[0] + b[0], a[1] + b[1]];
const minus = (a: Complex, b: Complex): Complex => [a[0] - b[0], a[1] - b[1]];
const multiply = (a: Complex, b: Complex): Complex => [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
const conjugate = ([real, imaginary]: Complex): Complex => [real, -imaginary];
const sumSquares = (values: readonly Complex[]): number =>
  values.reduce((total, [real, imaginary]) => total + real ** 2 + imaginary ** 2, 0);
