import { toRadians, type Point3 } from '#core';

/**
 * Ranges around one station, in the projection of its panorama. Pixel (i, j) has `pan = heading + ((i + 0.5) / width -
 * 0.5) * 360` and `tilt = 90 - (j + 0.5) / height * 180`.
 */
export interface RangeImage {
  readonly width: number;
  readonly height: number;
  /** Position of the scanner in the site frame, metres. */
  readonly position: Point3;
  /** Direction of the picture's centre, degrees clockwise from north. */
  readonly heading: number;
  /**
   * Returns the radial range in millimetres. It is 0 without a return, if the tile is not loaded, and for rows outside
   * the image. Columns wrap around, so that -1 is the last column.
   */
  at(column: number, row: number): number;
}

/** Creates a range image from ranges in millimetres, row by row. */
export function createRangeImage(data: ArrayLike<number>, shape: Omit<RangeImage, 'at'>): RangeImage {
  const { width, height } = shape;
  return {
    ...shape,
    at: (column, row) =>
      row < 0 || row >= height ? 0 : (data[row * width + (((column % width) + width) % width)] ?? 0),
  };
}

/** Computes the unit vector in the site frame from the station through a pixel's centre. Columns wrap around. */
export function computeRangeDirection(image: RangeImage, column: number, row: number): Point3 {
  const { pan, tilt } = getTables(image);
  const wrappedColumn = ((column % image.width) + image.width) % image.width;
  const cosTilt = tilt[row * 2 + 1] ?? 0;
  return [(pan[wrappedColumn * 2] ?? 0) * cosTilt, (pan[wrappedColumn * 2 + 1] ?? 0) * cosTilt, tilt[row * 2] ?? 0];
}

interface DirectionTables {
  /** Sine and cosine of each column's pan. */
  readonly pan: Float64Array;
  /** Sine and cosine of each row's tilt. */
  readonly tilt: Float64Array;
}
const tablesByImage = new WeakMap<RangeImage, DirectionTables>();

/** Returns the tables of an image. They are cached, because a patch reads each direction about forty times. */
function getTables(image: RangeImage): DirectionTables {
  const cached = tablesByImage.get(image);
  if (cached) return cached;
  const pan = new Float64Array(image.width * 2);
  const tilt = new Float64Array(image.height * 2);
  for (let column = 0; column < image.width; column += 1) {
    const angle = toRadians(image.heading) + ((column + 0.5) / image.width - 0.5) * 2 * Math.PI;
    pan[column * 2] = Math.sin(angle);
    pan[column * 2 + 1] = Math.cos(angle);
  }
  for (let row = 0; row < image.height; row += 1) {
    const angle = (0.5 - (row + 0.5) / image.height) * Math.PI;
    tilt[row * 2] = Math.sin(angle);
    tilt[row * 2 + 1] = Math.cos(angle);
  }
  const tables = { pan, tilt };
  tablesByImage.set(image, tables);
  return tables;
}

/** Finds the pixel of the image in a direction (degrees). */
export function findRangePixel(
  image: RangeImage,
  pan: number,
  tilt: number,
): { readonly column: number; readonly row: number } {
  const turn = (pan - image.heading) / 360 + 0.5;
  const column = Math.floor((turn - Math.floor(turn)) * image.width);
  const row = Math.floor((0.5 - tilt / 180) * image.height);
  return { column: Math.min(image.width - 1, column), row: Math.min(image.height - 1, Math.max(0, row)) };
}

/** Computes the point of a pixel in the site frame. Undefined without a return. */
export function computeRangePoint(image: RangeImage, column: number, row: number): Point3 | undefined {
  const range = image.at(column, row) / 1000;
  if (range === 0) return undefined;
  const [x, y, z] = computeRangeDirection(image, column, row);
  return [image.position[0] + x * range, image.position[1] + y * range, image.position[2] + z * range];
}

/** Computes the distance between neighbouring pixels on a surface that faces the station at `range`, both in metres. */
export const computePixelSpacing = (image: RangeImage, range: number): number => (range * 2 * Math.PI) / image.width;
