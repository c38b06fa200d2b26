import sharp, { type Sharp } from 'sharp';

/** An image size in pixels, and its number of tiles. */
export interface Grid {
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
}

/** The number of concurrent encoders, each in its own thread. */
const maxConcurrent = 2;

/**
 * Cuts raw RGB pixels into tiles, row by row from the left. Encodes several tiles concurrently by `encode`, and yields
 * them in order.
 */
export async function* cutTiles<T>(
  pixels: Buffer,
  grid: Grid,
  tileSize: number,
  encode: (tile: Sharp, column: number, row: number) => Promise<T>,
): AsyncGenerator<T> {
  const runningTiles: Promise<T>[] = [];
  try {
    for (let index = 0; index < grid.columns * grid.rows; index++) {
      const column = index % grid.columns;
      const row = Math.floor(index / grid.columns);
      const left = column * tileSize;
      const top = row * tileSize;
      const tile = sharp(pixels, { raw: { width: grid.width, height: grid.height, channels: 3 } }).extract({
        left,
        top,
        width: Math.min(tileSize, grid.width - left),
        height: Math.min(tileSize, grid.height - top),
      });
      runningTiles.push(encode(tile, column, row));
      if (runningTiles.length >= maxConcurrent) yield await (runningTiles.shift() as Promise<T>);
    }
    for (let runningTile = runningTiles.shift(); runningTile !== undefined; runningTile = runningTiles.shift())
      yield await runningTile;
  } finally {
    await Promise.allSettled(runningTiles);
  }
}
