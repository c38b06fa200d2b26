import { radians, type Point3 } from '#core';

/**
 * Ranges around one station, in the projection of its panorama: pixel (i, j) of `width` x `height` has `pan = heading +
 * ((i + 0.5) / width - 0.5) * 360` and `tilt = 90 - (j + 0.5) / height * 180`.
 */
export interface RangeImage {
  readonly width: number;
  readonly height: number;
  /** Position of the scanner in the site frame, metres. */
  readonly position: Point3;
  /** Direction of the picture's centre, degrees clockwise from north. */
  readonly heading: number;
  /**
   * Radial range in millimetres; 0 if nothing returned or the tile is not loaded. Columns wrap around: -1 is the last
   * one. Rows outside the image return 0.
   */
  at(column: number, row: number): number;
}

/** A range image in memory, row by row in millimetres. */
export function createRangeImage(data: ArrayLike<number>, shape: Omit<RangeImage, 'at'>): RangeImage {
  const { width, height } = shape;
  return {
    ...shape,
    at: (column, row) =>
      row < 0 || row >= height ? 0 : (data[row * width + (((column % width) + width) % width)] ?? 0),
  };
}

/** Unit vector in the site frame from the station through a pixel's centre. Columns wrap around. */
export function rangeDirection(image: RangeImage, column: number, row: number): Point3 {
  const { pan, tilt } = getTables(image);
  const at = ((column % image.width) + image.width) % image.width;
  const across = tilt[row * 2 + 1] ?? 0;
  return [(pan[at * 2] ?? 0) * across, (pan[at * 2 + 1] ?? 0) * across, tilt[row * 2] ?? 0];
}

interface Tables {
  /** Sine and cosine of each column's pan. */
  readonly pan: Float64Array;
  /** Sine and cosine of each row's tilt. */
  readonly tilt: Float64Array;
}
const tables = new WeakMap<RangeImage, Tables>();

/** Cached, because a patch reads the direction of each pixel about forty times. */
function getTables(image: RangeImage): Tables {
  const cached = tables.get(image);
  if (cached) return cached;
  const pan = new Float64Array(image.width * 2);
  const tilt = new Float64Array(image.height * 2);
  for (let column = 0; column < image.width; column += 1) {
    const angle = radians(image.heading) + ((column + 0.5) / image.width - 0.5) * 2 * Math.PI;
    pan[column * 2] = Math.sin(angle);
    pan[column * 2 + 1] = Math.cos(angle);
  }
  for (let row = 0; row < image.height; row += 1) {
    const angle = (0.5 - (row + 0.5) / image.height) * Math.PI;
    tilt[row * 2] = Math.sin(angle);
    tilt[row * 2 + 1] = Math.cos(angle);
  }
  const made = { pan, tilt };
  tables.set(image, made);
  return made;
}

/** The pixel in a direction, as integers within the image. */
export function rangePixel(
  image: RangeImage,
  pan: number,
  tilt: number,
): { readonly column: number; readonly row: number } {
  const turn = (pan - image.heading) / 360 + 0.5;
  const column = Math.floor((turn - Math.floor(turn)) * image.width);
  const row = Math.floor((0.5 - tilt / 180) * image.height);
  return { column: Math.min(image.width - 1, column), row: Math.min(image.height - 1, Math.max(0, row)) };
}

/** The point of a pixel in the site frame; undefined without a return. */
export function rangePoint(image: RangeImage, column: number, row: number): Point3 | undefined {
  const range = image.at(column, row) / 1000;
  if (range === 0) return undefined;
  const [x, y, z] = rangeDirection(image, column, row);
  return [image.position[0] + x * range, image.position[1] + y * range, image.position[2] + z * range];
}

/** Metres between neighbouring pixels at the equator, on a surface that faces the station at a range in metres. */
export const rangePitch = (image: RangeImage, range: number): number => (range * 2 * Math.PI) / image.width;
