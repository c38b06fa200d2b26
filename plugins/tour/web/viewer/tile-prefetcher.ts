import type { PanoramaPicture } from '#plugins/tour';
import type { Graphics } from './graphics.ts';
import type { Camera } from './math/camera.ts';
import { firstTiles } from './scene-plan.ts';
import type { TileRequest } from './tiles/tile-loader.ts';

const maxPictures = 8;
const tilesEach = 4;
/** Maximum number of prefetched tiles per node, for any number of turns. */
const maxTiles = 24;

/** The neighbouring pictures and their first tiles: those in the current direction. */
export class TilePrefetcher {
  pictures: readonly PanoramaPicture[] = [];
  #requested = new Set<string>();
  #taken = false;

  replace(pictures: readonly PanoramaPicture[]): void {
    this.pictures = pictures.slice(0, maxPictures);
    this.#requested = new Set();
    this.#taken = false;
  }

  /** Returns the pictures once after each `replace`, so that failed ones are not fetched again. */
  takeOnce(): readonly PanoramaPicture[] {
    const pictures = this.#taken ? [] : this.pictures;
    this.#taken = true;
    return pictures;
  }

  choose(graphics: Graphics, camera: Camera): readonly TileRequest[] {
    const candidates = this.pictures.flatMap((picture) => firstTiles(picture, camera, graphics.tiles, tilesEach));
    return candidates.filter(({ key }) => {
      if (this.#requested.size < maxTiles) this.#requested.add(key);
      return this.#requested.has(key);
    });
  }
}
