import type { TilePages, TileSlot } from '../gl/tile-pages.ts';
import type { DrawnTile } from '../gl/renderer.ts';
import type { TilePlace } from '../math/tile-grid.ts';

interface HeldTile extends DrawnTile {
  readonly key: string;
  readonly picture: string;
  usedInFrame: number;
}

export const tileKey = (picture: string, level: number, column: number, row: number): string =>
  `${picture}/${level}/${column}_${row}`;

/** Tiles on the graphics card, by key. The least recently used one is evicted when all slots are used. */
export class TileStore {
  readonly #pages: TilePages;
  readonly #size: number;
  readonly #held = new Map<string, HeldTile>();

  constructor(pages: TilePages, tileSize: number) {
    this.#pages = pages;
    this.#size = tileSize;
  }

  get count(): number {
    return this.#held.size;
  }

  has(key: string): boolean {
    return this.#held.has(key);
  }

  /** Returns the tile and marks it as used in this frame. */
  use(key: string, frame: number): DrawnTile | undefined {
    const tile = this.#held.get(key);
    if (tile) tile.usedInFrame = frame;
    return tile;
  }

  of(picture: string): readonly DrawnTile[] {
    return [...this.#held.values()].filter((tile) => tile.picture === picture);
  }

  /** Uploads the bitmap and closes it. False if all slots are used by tiles of this or the previous frame. */
  add(key: string, picture: string, place: TilePlace, bitmap: ImageBitmap, frame: number): boolean {
    const slot = this.#pages.take() ?? this.#evict(frame);
    if (slot) {
      this.#pages.upload(slot, bitmap);
      this.#held.set(key, {
        key,
        picture,
        place,
        slot,
        fillX: this.#fill(bitmap.width),
        fillY: this.#fill(bitmap.height),
        usedInFrame: frame,
      });
    }
    bitmap.close();
    return slot !== undefined;
  }

  /** A smaller tile ends half a pixel early, so that the rest of its layer does not bleed in. */
  #fill(pixels: number): number {
    return pixels >= this.#size ? 1 : (pixels - 0.5) / this.#size;
  }

  #evict(frame: number): TileSlot | undefined {
    let oldest: HeldTile | undefined;
    for (const tile of this.#held.values())
      if (tile.usedInFrame < frame - 1 && (!oldest || tile.usedInFrame < oldest.usedInFrame)) oldest = tile;
    if (!oldest) return undefined;
    this.#held.delete(oldest.key);
    return oldest.slot;
  }
}
