import { dotProduct, normalizePan, toPanTilt, radians, shortestTurn, type Point3 } from '#core';
import type { PanoramaTiles } from '#plugins/tour';
import { pixelsPerRadian, type Camera } from './camera.ts';

/** Maximum screen pixels per picture pixel at the centre before a finer level is used. */
const maxMagnification = 1.1;

/** Index of the coarsest level that is sharp at the centre of the view; the finest one if none is. */
export function levelFor(tiles: PanoramaTiles, camera: Camera): number {
  const needed = (pixelsPerRadian(camera) * 2 * Math.PI) / maxMagnification;
  const found = tiles.levels.findIndex((level) => level.width >= needed);
  return found < 0 ? tiles.levels.length - 1 : found;
}

/** A tile and its part of the sphere, in degrees from the picture's left edge and above the horizon. */
export interface TilePlace {
  readonly level: number;
  readonly column: number;
  readonly row: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export function tilePlace(tiles: PanoramaTiles, level: number, column: number, row: number): TilePlace {
  const { width, height } = tiles.levels[level]!;
  const x = (pixel: number): number => (Math.min(pixel, width) / width) * 360;
  const y = (pixel: number): number => 90 - (Math.min(pixel, height) / height) * 180;
  const size = tiles.tileSize;
  return {
    level,
    column,
    row,
    left: x(column * size),
    right: x((column + 1) * size),
    top: y(row * size),
    bottom: y((row + 1) * size),
  };
}

/** Pan of a picture's left edge. */
export const leftEdge = (heading: number): number => normalizePan(heading - 180);

export interface VisibleTile {
  readonly place: TilePlace;
  /**
   * Angle between the centre of the view and the nearest point of the tile, radians. Tiles are fetched in this order.
   */
  readonly angle: number;
}

/** Sample points along each side of a tile. */
const samples = 4;

/**
 * Tiles of a level that the camera sees, nearest to the centre of the view first. May contain tiles just outside the
 * view, but omits none inside: a tile is skipped only if it is completely beyond one plane of the view or farther than
 * its corners.
 */
export function visibleTiles(
  tiles: PanoramaTiles,
  level: number,
  heading: number,
  camera: Camera,
): readonly VisibleTile[] {
  const { columns, rows } = tiles.levels[level]!;
  const corner = Math.atan(Math.hypot(camera.halfWidth, camera.halfHeight));
  const { pan, tilt } = toPanTilt(camera.forward);
  const chosen: VisibleTile[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const place = tilePlace(tiles, level, column, row);
      const angle = sampledAngle(place, heading, camera);
      const cell = radians(Math.hypot(place.right - place.left, place.top - place.bottom)) / samples;
      if (angle - cell / 2 > corner || isBeyondAPlane(place, heading, camera)) continue;
      chosen.push({ place, angle: tileHolds(place, heading, pan, tilt) ? 0 : angle });
    }
  }
  return chosen.sort((a, b) => a.angle - b.angle);
}

function pointOn(place: TilePlace, heading: number, across: number, down: number): Point3 {
  const pan = radians(heading - 180 + place.left + (place.right - place.left) * across);
  const tilt = radians(place.top + (place.bottom - place.top) * down);
  return [Math.sin(pan) * Math.cos(tilt), Math.cos(pan) * Math.cos(tilt), Math.sin(tilt)];
}

/**
 * Angle between the centre of the view and the nearest sample point of the tile. The nearest point of the tile is at
 * most half a cell's diagonal nearer.
 */
function sampledAngle(place: TilePlace, heading: number, camera: Camera): number {
  let nearest = -1;
  for (let j = 0; j <= samples; j++)
    for (let i = 0; i <= samples; i++)
      nearest = Math.max(nearest, dotProduct(pointOn(place, heading, i / samples, j / samples), camera.forward));
  return Math.acos(Math.min(1, nearest));
}

/**
 * True if the whole tile is outside one plane through the eye. Along meridians and parallels the distance to a plane is
 * a sum of sines: between two samples it exceeds them by at most 1 - cos(half a step) per direction.
 */
function isBeyondAPlane(place: TilePlace, heading: number, camera: Camera): boolean {
  const slack =
    2 -
    Math.cos(radians(place.right - place.left) / samples / 2) -
    Math.cos(radians(place.top - place.bottom) / samples / 2);
  let left = true;
  let right = true;
  let above = true;
  let below = true;
  const spreadX = Math.hypot(1, camera.halfWidth);
  const spreadY = Math.hypot(1, camera.halfHeight);
  for (let j = 0; j <= samples; j++) {
    for (let i = 0; i <= samples; i++) {
      const point = pointOn(place, heading, i / samples, j / samples);
      const depth = dotProduct(point, camera.forward);
      const x = dotProduct(point, camera.right);
      const y = dotProduct(point, camera.up);
      if (x + camera.halfWidth * depth > -slack * spreadX) left = false;
      if (camera.halfWidth * depth - x > -slack * spreadX) right = false;
      if (camera.halfHeight * depth - y > -slack * spreadY) above = false;
      if (y + camera.halfHeight * depth > -slack * spreadY) below = false;
    }
  }
  return left || right || above || below;
}

/** Whether a tile contains the direction. */
export function tileHolds(place: TilePlace, heading: number, pan: number, tilt: number): boolean {
  const fromLeft = normalizePan(shortestTurn(leftEdge(heading), pan));
  return fromLeft >= place.left && fromLeft <= place.right && tilt <= place.top && tilt >= place.bottom;
}

/** The tiles to show: those of the required level, or of a coarser one if there are more than `most`. */
export function chooseTiles(
  tiles: PanoramaTiles,
  heading: number,
  camera: Camera,
  maxTiles: number,
): { readonly level: number; readonly chosen: readonly VisibleTile[] } {
  for (let level = levelFor(tiles, camera); ; level--) {
    const chosen = visibleTiles(tiles, level, heading, camera);
    if (chosen.length <= maxTiles || level === 0) return { level, chosen: chosen.slice(0, maxTiles) };
  }
}
