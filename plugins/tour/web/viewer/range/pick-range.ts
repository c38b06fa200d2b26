import { toDirection, dotProduct, vectorLength, minus, plus, times, type Point3 } from '#core';
import { rangePitch, rangePixel, rangePoint, type RangeImage } from './range-image.ts';
import { surfaceAt } from './surface-at.ts';

export interface RangePick {
  /** Site frame, metres. */
  readonly point: Point3;
  /** Unit vector towards the station; undefined at an edge. */
  readonly normal: Point3 | undefined;
  /**
   * One standard deviation of the point along the line of sight in metres, from the scatter around the surface;
   * undefined at an edge.
   */
  readonly sigma: number | undefined;
  /** The ranges around the pixel have an edge: the point may belong to the background. */
  readonly edge: boolean;
}

/** Maximum difference of the ranges of two pixels on one surface: 10 mm plus the slope of a surface at 80 degrees. */
const maxJump = (pitch: number): number => 0.01 + pitch * Math.tan((80 * Math.PI) / 180);

/** Standard deviation of the median of nine values relative to that of one (normal distribution, by simulation). */
const medianOfNine = 0.41;

/**
 * Share of the distance between the second and the eighth of nine depths that is reported as uncertainty. For noise,
 * this is slightly more than the median's spread; for a step that is too low for an edge, most of its half.
 */
const stepShare = 1 / 3;

/**
 * Standard deviation in pixels of the weights around a click (Gaussian). An edge lies between pixels; an object of one
 * pixel must keep its own range.
 */
const ownSpread = 0.5;
/**
 * Minimum cosine between ray and normal for an intersection: at grazing angles, noise of the normal moves the point too
 * far.
 */
const minFacing = 0.2;

/**
 * The point in a direction (degrees, between pixels too): the intersection of its ray with the surface of the pixel,
 * taken as the median of the 3 x 3 ranges. Undefined if nothing returned.
 */
export function pickRange(image: RangeImage, pan: number, tilt: number): RangePick | undefined {
  const { column, row } = rangePixel(image, pan, tilt);
  const reference = rangeUnder(image, pan, tilt);
  if (reference === undefined) return undefined;
  const jump = maxJump(rangePitch(image, reference));
  const surface = surfaceAt(image, column, row);
  const points = around.flatMap(([right, down]) => {
    const point = rangePoint(image, column + right, row + down);
    return point && Math.abs(image.at(column + right, row + down) / 1000 - reference) <= jump
      ? [minus(point, image.position)]
      : [];
  });
  const edge = points.length < around.length;
  const direction = toDirection(pan, tilt);
  // A pixel behind the edge has another surface than the point.
  const own = surface && Math.abs(image.at(column, row) / 1000 - reference) <= jump ? surface : undefined;
  const facing = own ? Math.abs(dotProduct(own.normal, direction)) : 1;
  const depths = own && points.map((point) => dotProduct(point, own.normal));
  const range =
    depths && facing >= minFacing
      ? median(depths) / dotProduct(direction, own.normal)
      : median(points.map(vectorLength));
  return {
    point: plus(image.position, times(direction, range)),
    normal: own?.normal,
    // Ranges are stored in whole millimetres: the rounding error is the minimum.
    sigma:
      own && depths && !edge
        ? Math.hypot(
            Math.max(own.scatter * medianOfNine, computeStep(depths)) / Math.max(minFacing, facing),
            0.001 / Math.sqrt(12),
          )
        : undefined,
    edge,
  };
}

const around: readonly (readonly [right: number, down: number])[] = [-1, 0, 1].flatMap((down) =>
  [-1, 0, 1].map((right) => [right, down] as const),
);
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[(values.length - 1) >> 1] ?? 0;

function computeStep(depths: readonly number[]): number {
  const sorted = depths.toSorted((a, b) => a - b);
  return ((sorted.at(-2) ?? 0) - (sorted[1] ?? 0)) * stepShare;
}

const wider: readonly (readonly [right: number, down: number])[] = [-2, -1, 0, 1, 2].flatMap((down) =>
  [-2, -1, 0, 1, 2].map((right) => [right, down] as const),
);

interface Layer {
  readonly say: number;
  /** Range of the layer's pixel that is nearest to the click, and its distance from the click in pixels. */
  readonly range: number;
  readonly off: number;
}

/**
 * Range in a direction, metres. Clusters the neighbouring pixels into layers by depth and returns the layer with the
 * greatest weight. Undefined if most of the direct neighbours have no return.
 */
function rangeUnder(image: RangeImage, pan: number, tilt: number): number | undefined {
  const turn = (pan - image.heading) / 360 + 0.5;
  const [x, y] = [(turn - Math.floor(turn)) * image.width, (0.5 - tilt / 180) * image.height];
  const [column, row] = [Math.floor(x), Math.floor(y)];
  if (around.filter(([right, down]) => image.at(column + right, row + down) === 0).length > 4) return undefined;
  const cells = wider.flatMap(([right, down]) => {
    const range = image.at(column + right, row + down) / 1000;
    return range > 0 ? [{ range, off: Math.hypot(column + right + 0.5 - x, row + down + 0.5 - y) }] : [];
  });
  const layers: Layer[] = [];
  let last = 0;
  for (const { range, off } of cells.toSorted((a, b) => a.range - b.range)) {
    const layer = range - last <= maxJump(rangePitch(image, last)) ? layers.pop() : undefined;
    const say = Math.exp(-((off / ownSpread) ** 2) / 2) + (layer?.say ?? 0);
    layers.push(layer && layer.off <= off ? { ...layer, say } : { say, range, off });
    last = range;
  }
  return layers.reduce((a, b) => (b.say > a.say ? b : a)).range;
}
