import { errorCodes } from '#core';
import { coreRefusal } from '#core/api';
import { invalidRequest, ServerError } from '../kernel/server-error.ts';
import { openEquirectangular, type EquirectangularImage } from './equirectangular-image.ts';
import { createPicturePipeline, decodeOrRefuse } from './picture-pipeline.ts';
import type { FolderEntry } from '../files/file-store.ts';
import { tileSize } from './tile-pyramid.ts';
import { cutTiles, type Grid } from './cut-tiles.ts';

/** The cells of the mesh for walk transitions. The mesh has one more vertex than cells in each direction. */
const meshCells = { columns: 256, rows: 128 } as const;

/**
 * Describes a range image to viewers. The tile in column c and row r is the folder entry `range/<c>_<r>.webp`, a
 * lossless image of 512 x 512 pixels. A pixel has the range in millimetres, exactly as in the file: the high byte is in
 * R, the low byte in G, and 0 means no return.
 */
export interface RangeDescription extends Grid {
  readonly tileSize: number;
  readonly mesh: {
    /**
     * The folder entry with `columns * rows` little-endian unsigned 16-bit integers, row by row. Each is the range in
     * millimetres, or 0 for no return.
     */
    readonly path: string;
    /** 257, because the last column repeats the first. Column i is at x = i / 256 of the image's width. */
    readonly columns: number;
    /** 129. Row j is at y = j / 128 of the image's height. */
    readonly rows: number;
  };
}

export interface TiledRange {
  readonly description: RangeDescription;
  /**
   * The tiles and the mesh. Can be read once.
   *
   * @throws `invalidRequest` if the file is damaged
   */
  readonly entries: AsyncIterable<FolderEntry>;
}

/**
 * Cuts a range image (lossless WebP or PNG; a path or its bytes; high byte in R, low byte in G) into lossless tiles,
 * and creates the mesh.
 *
 * @throws `invalidRequest` with a readable message
 */
export async function tileRange(source: string | Uint8Array): Promise<TiledRange> {
  const image = await openRange(source);
  const { width, height } = image;
  const grid: Grid = { width, height, columns: Math.ceil(width / tileSize), rows: Math.ceil(height / tileSize) };
  return {
    description: {
      ...grid,
      tileSize,
      mesh: { path: 'mesh.u16', columns: meshCells.columns + 1, rows: meshCells.rows + 1 },
    },
    entries: cutRange(image.bytes, grid),
  };
}

async function* cutRange(bytes: Buffer, grid: Grid): AsyncGenerator<FolderEntry> {
  const pixels = await decodePixels(bytes);
  yield* cutTiles(pixels, grid, tileSize, (tile, column, row) =>
    tile
      .webp({ lossless: true, effort: 1 })
      .toBuffer()
      .then((content) => ({ path: `range/${column}_${row}.webp`, content })),
  );
  yield { path: 'mesh.u16', content: createMesh(pixels, grid.width, grid.height) };
}

async function openRange(source: string | Uint8Array): Promise<EquirectangularImage> {
  const image = await openEquirectangular(source);
  if (image.format === 'jpeg' || (image.format === 'webp' && !isLosslessWebp(image.bytes))) {
    throw invalidRequest(coreRefusal('core.refused.rangeLossless'));
  }
  return image;
}

async function decodePixels(bytes: Buffer): Promise<Buffer> {
  const { data, info } = await decodeOrRefuse(() =>
    createPicturePipeline(bytes, true).removeAlpha().raw().toBuffer({ resolveWithObject: true }),
  );
  if (info.channels !== 3)
    throw new ServerError(400, errorCodes.invalidRequest, coreRefusal('core.refused.rangeColours'));
  return data;
}

/** Each vertex gets the nearest return within half a cell, so that thin objects stay in front. */
export function createMesh(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const columns = meshCells.columns + 1;
  const rows = meshCells.rows + 1;
  const mesh = new DataView(new ArrayBuffer(columns * rows * 2));
  for (let row = 0; row < rows; row++) {
    const top = Math.max(0, Math.floor(((row - 0.5) / meshCells.rows) * height));
    const bottom = Math.min(height, Math.ceil(((row + 0.5) / meshCells.rows) * height));
    for (let column = 0; column < columns; column++) {
      const left = Math.floor(((column - 0.5) / meshCells.columns) * width);
      const right = Math.ceil(((column + 0.5) / meshCells.columns) * width);
      let nearest = 0;
      for (let y = top; y < bottom; y++) {
        for (let x = left; x < right; x++) {
          const offset = (y * width + ((x + width) % width)) * 3;
          const range = ((pixels[offset] ?? 0) << 8) | (pixels[offset + 1] ?? 0);
          if (range !== 0 && (nearest === 0 || range < nearest)) nearest = range;
        }
      }
      mesh.setUint16((row * columns + column) * 2, nearest, true);
    }
  }
  return new Uint8Array(mesh.buffer);
}

/** RIFF has a 12-byte header, then chunks of name, length and padded body. Lossless images are in a chunk `VP8L`. */
function isLosslessWebp(bytes: Buffer): boolean {
  for (let offset = 12; offset + 8 <= bytes.length;) {
    const name = bytes.toString('latin1', offset, offset + 4);
    if (name === 'VP8L') return true;
    if (name === 'VP8 ') return false;
    const length = bytes.readUInt32LE(offset + 4);
    offset += 8 + length + (length % 2);
  }
  return false;
}
