import type { PanoramaPicture } from '#plugins/tour';
import type { DrawnTile } from './gl/renderer.ts';
import type { Camera } from './math/camera.ts';
import { chooseTiles, visibleTiles, type TilePlace } from './math/tile-grid.ts';
import { readBitmap, tilePath } from './tiles/picture-reader.ts';
import type { TileRequest } from './tiles/tile-loader.ts';
import { tileKey, type TileStore } from './tiles/tile-store.ts';

/** What one picture draws in one frame. */
export interface ScenePlan {
  readonly tiles: readonly DrawnTile[];
  /** True if the tiles fill the view, so that no preview is needed. */
  readonly covered: boolean;
  /** Missing tiles of the required level, the centre of the view first. */
  readonly missing: readonly TileRequest[];
  readonly levelWidth: number;
}

/** Maximum number of tiles of the required level in one view, and of all levels while some are missing. */
const maxRequested = 36;
const maxDrawn = 60;
/** Width of the level that the preview is equivalent to. */
const previewWidth = 1024;

function requestFor(picture: PanoramaPicture, place: TilePlace): TileRequest {
  const { level, column, row } = place;
  return {
    key: tileKey(picture.tiles.id, level, column, row),
    picture: picture.tiles.id,
    place,
    read: (signal) => readBitmap(picture, tilePath(level, column, row), signal),
  };
}

/** Chooses the tiles to draw and to fetch. Cached tiles of other levels are drawn until all are loaded. */
export function planScene(picture: PanoramaPicture, camera: Camera, store: TileStore, frame: number): ScenePlan {
  const { level, chosen } = chooseTiles(picture.tiles, picture.heading, camera, maxRequested);
  const levelWidth = picture.tiles.levels[level]?.width ?? 0;
  if (levelWidth <= previewWidth) return { tiles: [], covered: false, missing: [], levelWidth };
  const drawn: DrawnTile[] = [];
  const missing: TileRequest[] = [];
  for (const { place } of chosen) {
    const tile = store.use(tileKey(picture.tiles.id, level, place.column, place.row), frame);
    if (tile) drawn.push(tile);
    else missing.push(requestFor(picture, place));
  }
  if (missing.length > 0)
    drawn.push(...standIns(picture, camera, level, store, frame).slice(0, maxDrawn - drawn.length));
  return { tiles: drawn, covered: missing.length === 0, missing, levelWidth };
}

function standIns(
  picture: PanoramaPicture,
  camera: Camera,
  level: number,
  store: TileStore,
  frame: number,
): readonly DrawnTile[] {
  const cached = store.of(picture.tiles.id).filter((tile) => tile.place.level !== level);
  const found: DrawnTile[] = [];
  for (const other of new Set(cached.map((tile) => tile.place.level))) {
    for (const { place } of visibleTiles(picture.tiles, other, picture.heading, camera)) {
      const tile = store.use(tileKey(picture.tiles.id, other, place.column, place.row), frame);
      if (tile) found.push(tile);
    }
  }
  return found;
}

/** The first tiles of a neighbouring picture: those around the centre of the view. */
export function firstTiles(
  picture: PanoramaPicture,
  camera: Camera,
  store: TileStore,
  count: number,
): readonly TileRequest[] {
  const { level, chosen } = chooseTiles(picture.tiles, picture.heading, camera, maxRequested);
  if ((picture.tiles.levels[level]?.width ?? 0) <= previewWidth) return [];
  return chosen
    .slice(0, count)
    .filter(({ place }) => !store.has(tileKey(picture.tiles.id, level, place.column, place.row)))
    .map(({ place }) => requestFor(picture, place));
}
