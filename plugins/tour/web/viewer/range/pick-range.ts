import { toDirection, dotProduct, vectorLength, minus, plus, times, type Point3 } from '#core';
import { rangePitch, rangePixel, rangePoint, type RangeImage } from './range-image.ts';
import { surfaceAt } from './surface-at.ts';

export interface RangePick {
  /** Site frame, metres. */
  readonly point: Point3;
  /** Unit vector towards the station; undefined at an edge. */
  readonly normal: Point3 | undefined;
  /**
   * One standard deviation of the point along the line of sight, metres: from the scatter around the surface; undefined
   * at an edge.
   */
  readonly sigma: number | undefined;
  /** The ranges around the pixel break off: the point may belong to what lies behind. */
  readonly edge: boolean;
}

/**
 * A jump of the range from pixel to pixel that no surface explains which one would measure: 10 mm and what a surface at
 * 80 degrees makes of a pixel.
 */
const maxJump = (pitch: number): number => 0.01 + pitch * Math.tan((80 * Math.PI) / 180);

/** The median of nine has 0.41 of the spread of one of them (normal distribution, by simulation). */
const medianOfNine = 0.41;

/**
 * Share of the way from the second of nine depths to the eighth that is told as uncertainty. Of noise alone that is a
 * little more than the median's spread; of a step too low to be an edge most of its half.
 */
const stepShare = 1 / 3;

/**
 * Pixels: how fast the say of those around a click falls with their distance from it (a normal curve's spread). An edge
 * runs between pixels; what is one pixel thin still keeps its own.
 */
const ownSpread = 0.5;
/**
 * Surfaces that are seen more aslant than this (cosine) are not intersected: the least noise of their normal would move
 * the point.
 */
const minFacing = 0.2;

/**
 * The point in a direction (degrees, may lie between pixels): where its ray meets the surface of the pixel under it,
 * taken as the median of its share of the 3 x 3 ranges around tells it. Undefined where nothing returned.
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
  // Where the pixel itself lies behind the edge its surface is not that of the point.
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
    // A range image is kept in whole millimetres: what rounding adds is never less.
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
  /** Metres to the pixel of it that is nearest to the click, and how many pixels that is off. */
  readonly range: number;
  readonly off: number;
}

/**
 * Metres to what a direction hits: the pixels around fall into layers, one behind the other, and that one counts which
 * has the most say about the direction. Undefined where most of the pixels next to it are holes.
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
