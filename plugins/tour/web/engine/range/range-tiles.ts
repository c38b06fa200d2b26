import type { RangeTiles } from '#plugins/tour';
import type { Point3 } from '#core';
import type { Pixel } from './grow-patch.ts';
import type { RangeImage } from './range-image.ts';

/** Reads one tile as its pixels: red, green, blue, alpha. */
export type ReadRangeTile = (address: string) => Promise<{ readonly width: number; readonly data: ArrayLike<number> }>;

/**
 * A range image of which only those tiles are held that somebody asked for: a pick needs one or two of them, a hundred kilobytes each.
 * A pixel of a tile that is not held has no range.
 */
export class TiledRanges implements RangeImage {
  readonly width: number;
  readonly height: number;
  readonly position: Point3;
  readonly heading: number;
  readonly tiles: RangeTiles;
  readonly #read: ReadRangeTile;
  readonly #loading = new Map<string, Promise<void>>();
  readonly #held = new Map<string, { readonly width: number; readonly millimetres: Uint16Array }>();

  constructor(tiles: RangeTiles, pose: { readonly position: Point3; readonly heading: number }, read: ReadRangeTile = readRangeTile) {
    this.tiles = tiles;
    this.width = tiles.width;
    this.height = tiles.height;
    this.position = pose.position;
    this.heading = pose.heading;
    this.#read = read;
  }

  at(column: number, row: number): number {
    if (row < 0 || row >= this.height) return 0;
    const around = ((column % this.width) + this.width) % this.width;
    const { tileSize } = this.tiles;
    const tile = this.#held.get(keyOf(Math.floor(around / tileSize), Math.floor(row / tileSize)));
    return tile?.millimetres[(row % tileSize) * tile.width + (around % tileSize)] ?? 0;
  }

  /** Whether the tile of a pixel is held. */
  holds({ column, row }: Pixel): boolean {
    const { tileSize } = this.tiles;
    return this.#held.has(keyOf(Math.floor(column / tileSize), Math.floor(row / tileSize)));
  }

  /** Resolves when all pixels up to `reach` from one are held. Fails where a tile cannot be read; asked again, it is tried again. */
  async load({ column, row }: Pixel, reach: number): Promise<void> {
    const { tileSize } = this.tiles;
    const across = Math.ceil(this.width / tileSize);
    const first = Math.floor((column - reach) / tileSize);
    const last = Math.min(Math.floor((column + reach) / tileSize), first + across - 1);
    const top = Math.max(0, Math.floor((row - reach) / tileSize));
    const bottom = Math.min(Math.ceil(this.height / tileSize) - 1, Math.floor((row + reach) / tileSize));
    const wanted: Promise<void>[] = [];
    for (let down = top; down <= bottom; down += 1) {
      for (let right = first; right <= last; right += 1) wanted.push(this.#tile(((right % across) + across) % across, down));
    }
    await Promise.all(wanted);
  }

  #tile(column: number, row: number): Promise<void> {
    const key = keyOf(column, row);
    if (this.#held.has(key)) return Promise.resolve();
    const known = this.#loading.get(key);
    if (known) return known;
    const loading = this.#read(`${this.tiles.address}/range/${key}.webp`)
      .then(({ width, data }) => void this.#held.set(key, { width, millimetres: Uint16Array.from({ length: data.length / 4 }, (_, index) => ((data[index * 4] ?? 0) << 8) | (data[index * 4 + 1] ?? 0)) }))
      .finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }
}

const keyOf = (column: number, row: number): string => `${column}_${row}`;

/** The bytes as they are in the file: through a canvas only with every conversion switched off. A picture of 16 bits a channel would come back with 8. */
async function readRangeTile(address: string): Promise<ImageData> {
  const response = await fetch(address, { credentials: 'include' });
  if (!response.ok) throw new Error(`The ranges of the scan could not be read: the server answered ${response.status}.`);
  const bitmap = await createImageBitmap(await response.blob(), { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
  const { width, height } = bitmap;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser gives no canvas to read the ranges of the scan with.');
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return context.getImageData(0, 0, width, height);
}
