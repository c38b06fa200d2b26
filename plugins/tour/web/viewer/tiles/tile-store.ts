import type { TilePages, TileSlot } from '../gl/tile-pages.ts';
import type { DrawnTile } from '../gl/renderer.ts';
import type { TileBounds } from '../math/tile-grid.ts';

interface CachedTile extends DrawnTile {
  readonly key: string;
  readonly picture: string;
  usedInFrame: number;
}

export const formatTileKey = (picture: string, level: number, column: number, row: number): string =>
  `${picture}/${level}/${column}_${row}`;

/** Caches tiles on the graphics card by key. If all slots are used, the least recently used tile is evicted. */
export class TileStore {
  readonly #pages: TilePages;
  readonly #size: number;
  readonly #tiles = new Map<string, CachedTile>();

  constructor(pages: TilePages, tileSize: number) {
    this.#pages = pages;
    this.#size = tileSize;
  }

  get count(): number {
    return this.#tiles.size;
  }

  has(key: string): boolean {
    return this.#tiles.has(key);
  }

  /** Returns the tile and marks it as used in this frame. */
  touch(key: string, frame: number): DrawnTile | undefined {
    const tile = this.#tiles.get(key);
    if (tile) tile.usedInFrame = frame;
    return tile;
  }

  listTiles(picture: string): readonly DrawnTile[] {
    return [...this.#tiles.values()].filter((tile) => tile.picture === picture);
  }

  /** Uploads and closes the bitmap. Returns false if tiles of the current or the previous frame use all slots. */
  add(key: string, picture: string, bounds: TileBounds, bitmap: ImageBitmap, frame: number): boolean {
    const slot = this.#pages.acquireSlot() ?? this.#evict(frame);
    if (slot) {
      this.#pages.upload(slot, bitmap);
      this.#tiles.set(key, {
        key,
        picture,
        bounds,
        slot,
        fillX: this.#computeFill(bitmap.width),
        fillY: this.#computeFill(bitmap.height),
        usedInFrame: frame,
      });
    }
    bitmap.close();
    return slot !== undefined;
  }

  /** Computes the filled fraction of a layer. Smaller tiles are cut by half a pixel against bleeding at their edges. */
  #computeFill(pixels: number): number {
    return pixels >= this.#size ? 1 : (pixels - 0.5) / this.#size;
  }

  #evict(frame: number): TileSlot | undefined {
    let oldest: CachedTile | undefined;
    for (const tile of this.#tiles.values())
      if (tile.usedInFrame < frame - 1 && (!oldest || tile.usedInFrame < oldest.usedInFrame)) oldest = tile;
    if (!oldest) return undefined;
    this.#tiles.delete(oldest.key);
    return oldest.slot;
  }
}
