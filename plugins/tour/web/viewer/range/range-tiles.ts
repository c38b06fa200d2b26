import type { Point3 } from '#core';
import type { RangeImage } from './range-image.ts';

/** The tiling of a range image. */
export interface RangeTilesSource {
  readonly width: number;
  readonly height: number;
  readonly tileSize: number;
  readonly columns: number;
  readonly rows: number;
  /**
   * Position of the station in the site frame, metres.
   */
  readonly position: Point3;
  /** Direction of the picture's centre, degrees clockwise from north. */
  readonly heading: number;
  /** Reads a file by its path, such as `range/3_1.webp`. */
  readonly read: (path: string, signal?: AbortSignal) => Promise<Blob>;
}

/** Ranges of one tile, row by row in millimetres. */
export interface RangeTile {
  readonly width: number;
  readonly data: Uint16Array;
}

/** Maximum number of cached tiles, 512 kB each. */
const maxTiles = 64;

/**
 * A range image that loads tiles on demand and returns 0 elsewhere. The least recently used tiles are evicted. Failed
 * tiles are fetched again on the next load.
 */
export class RangeTiles implements RangeImage {
  readonly width: number;
  readonly height: number;
  readonly position: Point3;
  readonly heading: number;
  readonly #source: RangeTilesSource;
  readonly #decode: (blob: Blob) => Promise<RangeTile>;
  /** Tiles by number. The most recently used one is the last. */
  readonly #tiles = new Map<number, RangeTile>();
  readonly #loading = new Map<number, Promise<void>>();

  constructor(source: RangeTilesSource, decode: (blob: Blob) => Promise<RangeTile> = decodeRangeTile) {
    this.width = source.width;
    this.height = source.height;
    this.position = source.position;
    this.heading = source.heading;
    this.#source = source;
    this.#decode = decode;
  }

  at(column: number, row: number): number {
    if (row < 0 || row >= this.height) return 0;
    const { tileSize, columns } = this.#source;
    const x = ((column % this.width) + this.width) % this.width;
    const tile = this.#tiles.get(Math.floor(row / tileSize) * columns + Math.floor(x / tileSize));
    return tile?.data[(row % tileSize) * tile.width + (x % tileSize)] ?? 0;
  }

  /** True if the tile of a pixel is in memory. */
  isLoaded(column: number, row: number): boolean {
    const { tileSize, columns } = this.#source;
    return this.#tiles.has(Math.floor(row / tileSize) * columns + Math.floor(column / tileSize));
  }

  /** Loads the pixels within `reach` of a pixel. Rejects with the error of `read` if one of the tiles fails. */
  async load(column: number, row: number, reach: number, signal?: AbortSignal): Promise<void> {
    const { tileSize, columns, rows } = this.#source;
    const [top, bottom] = [Math.max(0, row - reach), Math.min(this.height - 1, row + reach)];
    // Near the poles the picture is stretched, so that the neighbourhood is wider, up to all columns.
    const tilt =
      (Math.max(Math.abs(top + 0.5 - this.height / 2), Math.abs(bottom + 0.5 - this.height / 2)) / this.height) *
      Math.PI;
    const columnReach = Math.min(this.width / 2, Math.ceil(reach / Math.max(0.02, Math.cos(tilt))));
    const requiredTiles = new Set<number>();
    for (
      let tileRow = Math.floor(top / tileSize);
      tileRow <= Math.min(rows - 1, Math.floor(bottom / tileSize));
      tileRow += 1
    ) {
      for (let x = column - columnReach; x < column + columnReach + tileSize; x += tileSize) {
        const wrappedColumn = ((Math.min(x, column + columnReach) % this.width) + this.width) % this.width;
        requiredTiles.add(tileRow * columns + Math.floor(wrappedColumn / tileSize));
      }
    }
    await Promise.all([...requiredTiles].map((tile) => this.#loadTile(tile, signal)));
  }

  async #loadTile(tileNumber: number, signal: AbortSignal | undefined): Promise<void> {
    const cached = this.#tiles.get(tileNumber);
    if (cached) {
      this.#tiles.delete(tileNumber);
      this.#tiles.set(tileNumber, cached);
      return;
    }
    const loading = this.#loading.get(tileNumber) ?? this.#fetchTile(tileNumber, signal);
    this.#loading.set(tileNumber, loading);
    await loading;
  }

  async #fetchTile(tileNumber: number, signal: AbortSignal | undefined): Promise<void> {
    const { columns, read } = this.#source;
    try {
      const tile = await this.#decode(
        await read(`range/${tileNumber % columns}_${Math.floor(tileNumber / columns)}.webp`, signal),
      );
      this.#tiles.set(tileNumber, tile);
      for (const oldest of this.#tiles.keys()) {
        if (this.#tiles.size <= maxTiles) break;
        this.#tiles.delete(oldest);
      }
    } finally {
      this.#loading.delete(tileNumber);
    }
  }
}

/**
 * Decodes a tile of `core/server/media/range-tiles.ts` without loss. Red is the high byte of the millimetres, green the
 * low byte. The options disable colour conversion and premultiplied alpha, which would change the values.
 */
export async function decodeRangeTile(blob: Blob): Promise<RangeTile> {
  const bitmap = await createImageBitmap(blob, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
  try {
    const { width, height } = bitmap;
    const context = createCanvas(width, height).getContext('2d', { willReadFrequently: true });
    if (!context) throw new Error('The browser provides no canvas to read a range tile. Its memory may be used up.');
    (context as CanvasRenderingContext2D).drawImage(bitmap, 0, 0);
    const pixels = context.getImageData(0, 0, width, height).data;
    const data = new Uint16Array(width * height);
    for (let k = 0; k < data.length; k += 1) data[k] = ((pixels[k * 4] ?? 0) << 8) | (pixels[k * 4 + 1] ?? 0);
    return { width, data };
  } finally {
    bitmap.close();
  }
}

function createCanvas(width: number, height: number): OffscreenCanvas | HTMLCanvasElement {
  if (typeof OffscreenCanvas !== 'undefined') return new OffscreenCanvas(width, height);
  return Object.assign(document.createElement('canvas'), { width, height });
}
