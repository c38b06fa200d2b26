import { dotProduct, normalizePan, toPanTilt, toRadians, computeShortestTurn, type Point3 } from '#core';
import type { PanoramaTiles } from '#plugins/tour';
import { computePixelsPerRadian, type Camera } from './camera.ts';

/** Maximum screen pixels per picture pixel at the centre before a finer level is used. */
const maxMagnification = 1.1;

/** Finds the index of the coarsest level that is sharp at the centre of the view, else of the finest level. */
export function findLevel(tiles: PanoramaTiles, camera: Camera): number {
  const minWidth = (computePixelsPerRadian(camera) * 2 * Math.PI) / maxMagnification;
  const index = tiles.levels.findIndex((level) => level.width >= minWidth);
  return index < 0 ? tiles.levels.length - 1 : index;
}

/** A tile and its part of the sphere, in degrees from the picture's left edge and above the horizon. */
export interface TileBounds {
  readonly level: number;
  readonly column: number;
  readonly row: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export function computeTileBounds(tiles: PanoramaTiles, level: number, column: number, row: number): TileBounds {
  const { width, height } = tiles.levels[level]!;
  const toPan = (pixel: number): number => (Math.min(pixel, width) / width) * 360;
  const toTilt = (pixel: number): number => 90 - (Math.min(pixel, height) / height) * 180;
  const size = tiles.tileSize;
  return {
    level,
    column,
    row,
    left: toPan(column * size),
    right: toPan((column + 1) * size),
    top: toTilt(row * size),
    bottom: toTilt((row + 1) * size),
  };
}

/** Computes the pan of a picture's left edge in degrees. */
export const computeLeftEdge = (heading: number): number => normalizePan(heading - 180);

export interface VisibleTile {
  readonly bounds: TileBounds;
  /**
   * Angle between the centre of the view and the nearest sample point of the tile, radians. 0 if the tile contains the
   * centre. Tiles are fetched in this order.
   */
  readonly angle: number;
}

/** Number of cells along each side of a tile, at whose corners the tile is sampled. */
const cellsPerSide = 4;

/**
 * Lists the tiles of a level that the camera sees, nearest to the centre of the view first. The list may contain tiles
 * just outside the view. A tile is omitted only if it is completely beyond one plane of the view or farther from the
 * centre than the corners of the view.
 */
export function listVisibleTiles(
  tiles: PanoramaTiles,
  level: number,
  heading: number,
  camera: Camera,
): readonly VisibleTile[] {
  const { columns, rows } = tiles.levels[level]!;
  const cornerAngle = Math.atan(Math.hypot(camera.halfWidth, camera.halfHeight));
  const { pan, tilt } = toPanTilt(camera.forward);
  const visibleTiles: VisibleTile[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const bounds = computeTileBounds(tiles, level, column, row);
      const angle = computeSampledAngle(bounds, heading, camera);
      const cellDiagonal = toRadians(Math.hypot(bounds.right - bounds.left, bounds.top - bounds.bottom)) / cellsPerSide;
      if (angle - cellDiagonal / 2 > cornerAngle || isBeyondAPlane(bounds, heading, camera)) continue;
      visibleTiles.push({ bounds, angle: doesTileContain(bounds, heading, pan, tilt) ? 0 : angle });
    }
  }
  return visibleTiles.sort((a, b) => a.angle - b.angle);
}

function computePoint(bounds: TileBounds, heading: number, across: number, down: number): Point3 {
  const pan = toRadians(heading - 180 + bounds.left + (bounds.right - bounds.left) * across);
  const tilt = toRadians(bounds.top + (bounds.bottom - bounds.top) * down);
  return [Math.sin(pan) * Math.cos(tilt), Math.cos(pan) * Math.cos(tilt), Math.sin(tilt)];
}

/**
 * Computes the angle between the centre of the view and the nearest sample point of the tile. The nearest point of the
 * tile is at most half a cell's diagonal nearer.
 */
function computeSampledAngle(bounds: TileBounds, heading: number, camera: Camera): number {
  let maxCosine = -1;
  for (let j = 0; j <= cellsPerSide; j++)
    for (let i = 0; i <= cellsPerSide; i++)
      maxCosine = Math.max(
        maxCosine,
        dotProduct(computePoint(bounds, heading, i / cellsPerSide, j / cellsPerSide), camera.forward),
      );
  return Math.acos(Math.min(1, maxCosine));
}

/**
 * True if the whole tile is outside one plane through the eye. Along meridians and parallels, the distance to a plane
 * is a sum of sines. Between two samples it exceeds their values by at most 1 - cos(half a step) per direction.
 */
function isBeyondAPlane(bounds: TileBounds, heading: number, camera: Camera): boolean {
  const slack =
    2 -
    Math.cos(toRadians(bounds.right - bounds.left) / cellsPerSide / 2) -
    Math.cos(toRadians(bounds.top - bounds.bottom) / cellsPerSide / 2);
  let isLeftOfView = true;
  let isRightOfView = true;
  let isAboveView = true;
  let isBelowView = true;
  const normalLengthX = Math.hypot(1, camera.halfWidth);
  const normalLengthY = Math.hypot(1, camera.halfHeight);
  for (let j = 0; j <= cellsPerSide; j++) {
    for (let i = 0; i <= cellsPerSide; i++) {
      const point = computePoint(bounds, heading, i / cellsPerSide, j / cellsPerSide);
      const depth = dotProduct(point, camera.forward);
      const x = dotProduct(point, camera.right);
      const y = dotProduct(point, camera.up);
      if (x + camera.halfWidth * depth > -slack * normalLengthX) isLeftOfView = false;
      if (camera.halfWidth * depth - x > -slack * normalLengthX) isRightOfView = false;
      if (camera.halfHeight * depth - y > -slack * normalLengthY) isAboveView = false;
      if (y + camera.halfHeight * depth > -slack * normalLengthY) isBelowView = false;
    }
  }
  return isLeftOfView || isRightOfView || isAboveView || isBelowView;
}

/** True if a tile contains the direction. */
export function doesTileContain(bounds: TileBounds, heading: number, pan: number, tilt: number): boolean {
  const fromLeft = normalizePan(computeShortestTurn(computeLeftEdge(heading), pan));
  return fromLeft >= bounds.left && fromLeft <= bounds.right && tilt <= bounds.top && tilt >= bounds.bottom;
}

/** Chooses the visible tiles of the required level, or of a coarser one if there are more than `maxTiles`. */
export function chooseTiles(
  tiles: PanoramaTiles,
  heading: number,
  camera: Camera,
  maxTiles: number,
): { readonly level: number; readonly visibleTiles: readonly VisibleTile[] } {
  for (let level = findLevel(tiles, camera); ; level--) {
    const visibleTiles = listVisibleTiles(tiles, level, heading, camera);
    if (visibleTiles.length <= maxTiles || level === 0) return { level, visibleTiles: visibleTiles.slice(0, maxTiles) };
  }
}
