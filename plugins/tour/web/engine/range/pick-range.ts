import { directionOf, dotOf, lengthOf, minus, plus, times, type Point3 } from '#core';
import { rangePitch, rangePixel, rangePoint, type RangeImage } from './range-image.ts';
import { surfaceAt } from './surface-at.ts';

export interface RangePick {
  /** Site frame, metres. */
  readonly point: Point3;
  /** Unit vector towards the station; undefined at an edge. */
  readonly normal: Point3 | undefined;
  /** One standard deviation of the point along the line of sight, metres: from the scatter around the surface; undefined at an edge. */
  readonly sigma: number | undefined;
  /** The ranges around the pixel break off: the point may belong to what lies behind. */
  readonly edge: boolean;
}

/** A jump of the range from pixel to pixel that no surface explains which one would measure: 10 mm and what a surface at 80 degrees makes of a pixel. */
const jumpOf = (pitch: number): number => 0.01 + pitch * Math.tan((80 * Math.PI) / 180);

/** The median of nine has 0.41 of the spread of one of them (normal distribution, by simulation). */
const medianOfNine = 0.41;

/** A click belongs to a pixel whose centre is within so many pixels: where two do, what stands in front counts, since thin things are what one aims at. */
const ownReach = 0.75;
/** Surfaces that are seen more aslant than this (cosine) are not intersected: the least noise of their normal would move the point. */
const leastFacing = 0.2;

/**
 * The point in a direction (degrees, may lie between pixels): where its ray meets the surface of the pixel under it, taken as the median of its share of
 * the 3 x 3 ranges around tells it. Undefined where nothing returned.
 */
export function pickRange(image: RangeImage, pan: number, tilt: number): RangePick | undefined {
  const { column, row } = rangePixel(image, pan, tilt);
  const reference = rangeUnder(image, pan, tilt);
  if (reference === undefined) return undefined;
  const jump = jumpOf(rangePitch(image, reference));
  const surface = surfaceAt(image, column, row);
  const points = around.flatMap(([right, down]) => {
    const point = rangePoint(image, column + right, row + down);
    return point && Math.abs(image.at(column + right, row + down) / 1000 - reference) <= jump ? [minus(point, image.position)] : [];
  });
  const edge = points.length < around.length;
  const direction = directionOf(pan, tilt);
  // Where the pixel itself lies behind the edge its surface is not that of the point.
  const own = surface && Math.abs(image.at(column, row) / 1000 - reference) <= jump ? surface : undefined;
  const facing = own ? Math.abs(dotOf(own.normal, direction)) : 1;
  const range = own && facing >= leastFacing ? median(points.map((point) => dotOf(point, own.normal))) / dotOf(direction, own.normal) : median(points.map(lengthOf));
  return {
    point: plus(image.position, times(direction, range)),
    normal: own?.normal,
    // A range image is kept in whole millimetres: what rounding adds is never less.
    sigma: own && !edge ? Math.hypot((own.scatter / Math.max(leastFacing, facing)) * medianOfNine, 0.001 / Math.sqrt(12)) : undefined,
    edge,
  };
}

const around: readonly (readonly [right: number, down: number])[] = [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((right) => [right, down] as const));
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[(values.length - 1) >> 1] ?? 0;

/** Metres to what a direction hits: the nearest of the pixels that it belongs to; where they are holes, of those around unless most of them are holes too. */
function rangeUnder(image: RangeImage, pan: number, tilt: number): number | undefined {
  const turn = (pan - image.heading) / 360 + 0.5;
  const [x, y] = [(turn - Math.floor(turn)) * image.width, (0.5 - tilt / 180) * image.height];
  const slack = ownReach - 0.5;
  const own = [x - slack, x + slack].flatMap((column) => [y - slack, y + slack].map((row) => image.at(Math.floor(column), Math.floor(row))));
  const beside = around.map(([right, down]) => image.at(Math.floor(x) + right, Math.floor(y) + down));
  const returned = (own.some((range) => range > 0) ? own : beside).filter((range) => range > 0);
  return beside.filter((range) => range === 0).length > 4 ? undefined : Math.min(...returned) / 1000;
}
