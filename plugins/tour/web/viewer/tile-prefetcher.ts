import type { PanoramaPicture } from '#plugins/tour';
import type { Graphics } from './graphics.ts';
import type { Camera } from './math/camera.ts';
import { listFirstTiles } from './scene-plan.ts';
import type { TileRequest } from './tiles/tile-loader.ts';

const maxPictures = 8;
const tilesPerPicture = 4;
/** Maximum number of prefetched tiles per node, even if the view turns. */
const maxTiles = 24;

/** Chooses the first tiles of neighbouring pictures, in the current direction. */
export class TilePrefetcher {
  pictures: readonly PanoramaPicture[] = [];
  #requestedKeys = new Set<string>();
  #isTaken = false;

  replace(pictures: readonly PanoramaPicture[]): void {
    this.pictures = pictures.slice(0, maxPictures);
    this.#requestedKeys = new Set();
    this.#isTaken = false;
  }

  /** Returns the pictures on the first call after `replace`, then none, so that failed ones are not fetched again. */
  takeOnce(): readonly PanoramaPicture[] {
    const pictures = this.#isTaken ? [] : this.pictures;
    this.#isTaken = true;
    return pictures;
  }

  chooseTiles(graphics: Graphics, camera: Camera): readonly TileRequest[] {
    const candidates = this.pictures.flatMap((picture) =>
      listFirstTiles(picture, camera, graphics.tiles, tilesPerPicture),
    );
    return candidates.filter(({ key }) => {
      if (this.#requestedKeys.size < maxTiles) this.#requestedKeys.add(key);
      return this.#requestedKeys.has(key);
    });
  }
}
