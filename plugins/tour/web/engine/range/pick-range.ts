import { directionOf, plus, times, type Point3 } from '#core';
import { rangePitch, rangePixel, type RangeImage } from './range-image.ts';
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

/**
 * The point in a direction (degrees, may lie between pixels): its ray as far as the median of the 3 x 3 ranges around it. At an edge the nearest of the surfaces
 * counts: thin things stand in front of what lies behind them. Undefined where nothing returned.
 */
export function pickRange(image: RangeImage, pan: number, tilt: number): RangePick | undefined {
  const { column, row } = rangePixel(image, pan, tilt);
  const around: number[] = [];
  let missing = 0;
  for (let down = -1; down <= 1; down += 1) {
    for (let right = -1; right <= 1; right += 1) {
      const range = image.at(column + right, row + down);
      if (range > 0) around.push(range / 1000);
      else missing += 1;
    }
  }
  around.sort((a, b) => a - b);
  const nearest = around[0];
  if (nearest === undefined || missing > 4) return undefined;
  const jump = jumpOf(rangePitch(image, nearest));
  // The ranges on this side of the first gap: what stands in front.
  const gap = around.findIndex((range, index) => index > 0 && range - (around[index - 1] ?? range) > jump);
  const front = gap > 0 ? around.slice(0, gap) : around;
  const edge = gap > 0 || missing > 0;
  const range = front[(front.length - 1) >> 1] ?? nearest;
  const surface = surfaceAt(image, column, row);
  // Where the pixel itself lies behind the edge its surface is not that of the point.
  const onSurface = surface !== undefined && Math.abs(image.at(column, row) / 1000 - range) <= jump;
  const direction = directionOf(pan, tilt);
  const slant = onSurface ? Math.max(0.2, Math.abs(surface.normal[0] * direction[0] + surface.normal[1] * direction[1] + surface.normal[2] * direction[2])) : 1;
  return {
    point: plus(image.position, times(direction, range)),
    normal: onSurface ? surface.normal : undefined,
    // A range image is kept in whole millimetres: what rounding adds is never less.
    sigma: onSurface && !edge ? Math.hypot((surface.scatter / slant) * medianOfNine, 0.001 / Math.sqrt(12)) : undefined,
    edge,
  };
}
