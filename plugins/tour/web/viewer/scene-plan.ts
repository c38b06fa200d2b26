import type { PanoramaPicture } from '#plugins/tour';
import type { DrawnTile } from './gl/renderer.ts';
import type { Camera } from './math/camera.ts';
import { chooseTiles, listVisibleTiles, type TileBounds } from './math/tile-grid.ts';
import { readBitmap, formatTilePath } from './tiles/picture-reader.ts';
import type { TileRequest } from './tiles/tile-loader.ts';
import { formatTileKey, type TileStore } from './tiles/tile-store.ts';

/** The tiles that a picture draws in a frame and the tiles that it still needs. */
export interface ScenePlan {
  readonly tiles: readonly DrawnTile[];
  /** True if the tiles fill the view, so that no preview is needed. */
  readonly covered: boolean;
  /** Missing tiles of the required level, from the centre of the view outwards. */
  readonly missing: readonly TileRequest[];
  readonly levelWidth: number;
}

/** Maximum number of tiles of the required level in one view. */
const maxRequested = 36;
/** Maximum number of tiles of all levels in one view. */
const maxDrawn = 60;
/** Width of the preview. Levels of this width need no tiles. */
const previewWidth = 1024;

function createRequest(picture: PanoramaPicture, bounds: TileBounds): TileRequest {
  const { level, column, row } = bounds;
  return {
    key: formatTileKey(picture.tiles.id, level, column, row),
    picture: picture.tiles.id,
    bounds,
    read: (signal) => readBitmap(picture, formatTilePath(level, column, row), signal),
  };
}

/** Chooses the tiles to draw and to fetch. Cached tiles of other levels are drawn until all are loaded. */
export function planScene(picture: PanoramaPicture, camera: Camera, store: TileStore, frame: number): ScenePlan {
  const { level, visibleTiles } = chooseTiles(picture.tiles, picture.heading, camera, maxRequested);
  const levelWidth = picture.tiles.levels[level]?.width ?? 0;
  if (levelWidth <= previewWidth) return { tiles: [], covered: false, missing: [], levelWidth };
  const drawnTiles: DrawnTile[] = [];
  const missingTiles: TileRequest[] = [];
  for (const { bounds } of visibleTiles) {
    const tile = store.touch(formatTileKey(picture.tiles.id, level, bounds.column, bounds.row), frame);
    if (tile) drawnTiles.push(tile);
    else missingTiles.push(createRequest(picture, bounds));
  }
  if (missingTiles.length > 0)
    drawnTiles.push(...listSubstitutes(picture, camera, level, store, frame).slice(0, maxDrawn - drawnTiles.length));
  return { tiles: drawnTiles, covered: missingTiles.length === 0, missing: missingTiles, levelWidth };
}

/** Lists cached tiles of other levels, which are drawn in place of missing ones. */
function listSubstitutes(
  picture: PanoramaPicture,
  camera: Camera,
  level: number,
  store: TileStore,
  frame: number,
): readonly DrawnTile[] {
  const cachedTiles = store.listTiles(picture.tiles.id).filter((tile) => tile.bounds.level !== level);
  const substitutes: DrawnTile[] = [];
  for (const otherLevel of new Set(cachedTiles.map((tile) => tile.bounds.level))) {
    for (const { bounds } of listVisibleTiles(picture.tiles, otherLevel, picture.heading, camera)) {
      const tile = store.touch(formatTileKey(picture.tiles.id, otherLevel, bounds.column, bounds.row), frame);
      if (tile) substitutes.push(tile);
    }
  }
  return substitutes;
}

/** Lists requests for the missing tiles of another picture around the centre of the view. */
export function listFirstTiles(
  picture: PanoramaPicture,
  camera: Camera,
  store: TileStore,
  count: number,
): readonly TileRequest[] {
  const { level, visibleTiles } = chooseTiles(picture.tiles, picture.heading, camera, maxRequested);
  if ((picture.tiles.levels[level]?.width ?? 0) <= previewWidth) return [];
  return visibleTiles
    .slice(0, count)
    .filter(({ bounds }) => !store.has(formatTileKey(picture.tiles.id, level, bounds.column, bounds.row)))
    .map(({ bounds }) => createRequest(picture, bounds));
}
