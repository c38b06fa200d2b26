import { toDirection, dotProduct, vectorLength, minus, plus, times, type Point3 } from '#core';
import { computePixelSpacing, findRangePixel, computeRangePoint, type RangeImage } from './range-image.ts';
import { fitSurface } from './fit-surface.ts';

export interface RangePick {
  /** Site frame, metres. */
  readonly point: Point3;
  /** Unit vector towards the station. Undefined at a depth discontinuity. */
  readonly normal: Point3 | undefined;
  /**
   * One standard deviation of the point along the line of sight in metres, from the deviations from the plane.
   * Undefined at a depth discontinuity.
   */
  readonly sigma: number | undefined;
  /** True at a depth discontinuity, where the point may belong to the background. */
  readonly edge: boolean;
}

/**
 * Computes the maximum difference of the ranges of two pixels on one surface: 10 mm plus their difference on a surface
 * that is tilted by 80 degrees. `pixelSpacing` is the distance between the pixels in metres.
 */
const computeMaxJump = (pixelSpacing: number): number => 0.01 + pixelSpacing * Math.tan((80 * Math.PI) / 180);

/** Standard deviation of the median of nine values relative to one value (normal distribution, by simulation). */
const medianSpreadOfNine = 0.41;

/**
 * Fraction of the distance between the second and the eighth of nine sorted depths that is reported as uncertainty. For
 * noise, the result is slightly more than the spread of the median. For a step too low for an edge, it is a third of
 * the step.
 */
const stepFraction = 1 / 3;

/**
 * Standard deviation of the Gaussian weights around a click, pixels. It is small enough that an object of one pixel
 * keeps its own range.
 */
const weightSpreadPx = 0.5;
/**
 * Minimum cosine between ray and normal for an intersection. At grazing angles, noise of the normal would move the
 * point too far.
 */
const minFacingCosine = 0.2;

/**
 * Picks the point in a direction (degrees), which may be between pixels. It is the intersection of the ray with the
 * surface of the pixel at the median depth of the 3 x 3 pixels. Undefined if there is no return.
 */
export function pickRange(image: RangeImage, pan: number, tilt: number): RangePick | undefined {
  const { column, row } = findRangePixel(image, pan, tilt);
  const reference = findRange(image, pan, tilt);
  if (reference === undefined) return undefined;
  const maxJump = computeMaxJump(computePixelSpacing(image, reference));
  const surface = fitSurface(image, column, row);
  const points = neighbours3x3.flatMap(([right, down]) => {
    const point = computeRangePoint(image, column + right, row + down);
    return point && Math.abs(image.at(column + right, row + down) / 1000 - reference) <= maxJump
      ? [minus(point, image.position)]
      : [];
  });
  const edge = points.length < neighbours3x3.length;
  const direction = toDirection(pan, tilt);
  // A pixel on the other side of an edge has another surface than the point.
  const pixelSurface = surface && Math.abs(image.at(column, row) / 1000 - reference) <= maxJump ? surface : undefined;
  const facingCosine = pixelSurface ? Math.abs(dotProduct(pixelSurface.normal, direction)) : 1;
  const depths = pixelSurface && points.map((point) => dotProduct(point, pixelSurface.normal));
  const range =
    depths && facingCosine >= minFacingCosine
      ? median(depths) / dotProduct(direction, pixelSurface.normal)
      : median(points.map(vectorLength));
  return {
    point: plus(image.position, times(direction, range)),
    normal: pixelSurface?.normal,
    // The rounding error is the minimum, because ranges are stored in whole millimetres.
    sigma:
      pixelSurface && depths && !edge
        ? Math.hypot(
            Math.max(pixelSurface.standardDeviation * medianSpreadOfNine, computeStepSigma(depths)) /
              Math.max(minFacingCosine, facingCosine),
            0.001 / Math.sqrt(12),
          )
        : undefined,
    edge,
  };
}

const neighbours3x3: readonly (readonly [right: number, down: number])[] = [-1, 0, 1].flatMap((down) =>
  [-1, 0, 1].map((right) => [right, down] as const),
);
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[(values.length - 1) >> 1] ?? 0;

function computeStepSigma(depths: readonly number[]): number {
  const sorted = depths.toSorted((a, b) => a - b);
  return ((sorted.at(-2) ?? 0) - (sorted[1] ?? 0)) * stepFraction;
}

const neighbours5x5: readonly (readonly [right: number, down: number])[] = [-2, -1, 0, 1, 2].flatMap((down) =>
  [-2, -1, 0, 1, 2].map((right) => [right, down] as const),
);

interface DepthLayer {
  /** Sum of the weights of its pixels. */
  readonly weight: number;
  /** Range of the layer's pixel that is nearest to the click, metres. */
  readonly range: number;
  /** Distance of that pixel from the click, pixels. */
  readonly distancePx: number;
}

/**
 * Finds the range in a direction, metres. Clusters the neighbouring pixels into layers by depth and returns the range
 * of the layer with the greatest weight. Undefined if most of the direct neighbours have no return.
 */
function findRange(image: RangeImage, pan: number, tilt: number): number | undefined {
  const turn = (pan - image.heading) / 360 + 0.5;
  const [x, y] = [(turn - Math.floor(turn)) * image.width, (0.5 - tilt / 180) * image.height];
  const [column, row] = [Math.floor(x), Math.floor(y)];
  if (neighbours3x3.filter(([right, down]) => image.at(column + right, row + down) === 0).length > 4) return undefined;
  const cells = neighbours5x5.flatMap(([right, down]) => {
    const range = image.at(column + right, row + down) / 1000;
    return range > 0 ? [{ range, distancePx: Math.hypot(column + right + 0.5 - x, row + down + 0.5 - y) }] : [];
  });
  const layers: DepthLayer[] = [];
  let previousRange = 0;
  for (const { range, distancePx } of cells.toSorted((a, b) => a.range - b.range)) {
    const layer =
      range - previousRange <= computeMaxJump(computePixelSpacing(image, previousRange)) ? layers.pop() : undefined;
    const weight = Math.exp(-((distancePx / weightSpreadPx) ** 2) / 2) + (layer?.weight ?? 0);
    layers.push(layer && layer.distancePx <= distancePx ? { ...layer, weight } : { weight, range, distancePx });
    previousRange = range;
  }
  return layers.reduce((a, b) => (b.weight > a.weight ? b : a)).range;
}
