import { toDegrees, normalizePan, toRadians } from '#core';
import type { DeckPlan } from '../contract/api.ts';
import type { PlanPoint } from '../contract/api/tour-content.ts';

/** Where a plan lies in the site frame. */
export type PlanPlacement = Pick<DeckPlan, 'centre' | 'scale' | 'heading'>;
/** Size of the image of a plan, pixels. */
export type PlanSize = Pick<DeckPlan, 'width' | 'height'>;

export interface PlanFit extends PlanPlacement {
  /** Distance between each given point and its place by the fit, metres. */
  readonly residuals: readonly number[];
  /** Root mean square of the residuals, metres. */
  readonly rms: number;
  /** False for two different points: their residuals are always zero and confirm nothing. */
  readonly redundant: boolean;
  /** Whether the points would agree with the plan if it were mirrored, which a placement cannot express. */
  readonly mirrored: boolean;
}

/**
 * The reasons for which points determine no placement: fewer than two, all at the same place of the plan or of the
 * site, a mirrored plan, points that contradict each other so that each direction is as good as another, or a scale
 * above `maxScale`.
 */
export type PlanFitProblem = 'fewPoints' | 'samePlace' | 'sameCoordinates' | 'mirrored' | 'contradictory' | 'scale';
export type PlanFitResult =
  | { readonly fit: PlanFit; readonly problem?: undefined }
  | { readonly fit?: undefined; readonly problem: PlanFitProblem };

/** Metres per pixel. */
export const maxScale = 1000;
/** A residual above it is probably a mistake. */
export const maxResidualMetres = 0.5;
/** Minimum spread of the points: fraction of the image's diagonal, metres on the ground, fraction of a perfect fit. */
const minSpread = 1e-6;
/** A mirrored fit is better if its error is below this fraction of the error without mirroring. */
const mirroredFraction = 1 / 3;

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

  const plain = regress(z, w);
  const flipped = regress(z.map(conjugate), w);
  const scale = Math.hypot(...plain.factor);
  const isMirrored = plain.rms > maxResidualMetres && flipped.rms < plain.rms * mirroredFraction;
  if (!(scale * Math.sqrt(planSpread) > minSpread * Math.sqrt(groundSpread)))
    return { problem: isMirrored ? 'mirrored' : 'contradictory' };
  if (scale > maxScale) return { problem: 'scale' };
  return {
    fit: {
      centre: minus(groundMean, multiply(plain.factor, pixelMean)),
      scale,
      heading: normalizePan(toDegrees(-Math.atan2(plain.factor[1], plain.factor[0]))),
      residuals: plain.residuals,
      rms: plain.rms,
      redundant: new Set(points.map(({ x, y, east, north }) => [x, y, east, north].join())).size > 2,
      mirrored: isMirrored,
    },
  };
}

/** Metres per pixel by the distance of two points of the plan. Undefined if they or the distance determine none. */
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

/** The placement of a plan whose scale and heading are known, by one point. */
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

/** Least squares of w = a z over a. Both have the mean zero. */
function regress(z: readonly Complex[], w: readonly Complex[]) {
  const products = z.map((value, index) => multiply(conjugate(value), w[index]!));
  const sum = products.reduce(plus, [0, 0]);
  const spread = sumSquares(z);
  const factor: Complex = [sum[0] / spread, sum[1] / spread];
  const residuals = z.map((value, index) => Math.hypot(...minus(w[index]!, multiply(factor, value))));
  const rms = Math.sqrt(residuals.reduce((total, residual) => total + residual ** 2, 0) / residuals.length);
  return { factor, residuals, rms };
}

/** The mean, summed relative to the first point: projected coordinates have seven digits before the point. */
function computeMean(values: readonly Complex[]): Complex {
  const first = values[0]!;
  const [real, imaginary] = values.map((value) => minus(value, first)).reduce(plus, [0, 0]);
  return [first[0] + real / values.length, first[1] + imaginary / values.length];
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
