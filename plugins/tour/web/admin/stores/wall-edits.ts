import type { DeckWall } from '../../../contract/api/tour-content.ts';
import { maxWallPoints, maxWalls } from '../../../contract/values/content-values.ts';
import { roundMetres, type EastNorth } from './to-eye-point.ts';

/** A wall while it is drawn: it may have no or one point. */
export type DrawnWall = DeckWall;

const distanceBetween = (a: EastNorth, b: EastNorth): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** The length of a wall, metres. */
export const computeWallLength = ({ points }: DrawnWall): number =>
  points.reduce((sum, point, index) => sum + (index === 0 ? 0 : distanceBetween(points[index - 1]!, point)), 0);

/** The length of all walls, metres. */
export const sumWallLengths = (walls: readonly DrawnWall[]): number =>
  walls.reduce((sum, wall) => sum + computeWallLength(wall), 0);

/** The lowest free number for another wall. Undefined if the deck has as many as it can have. */
export function findFreeNumber(walls: readonly DrawnWall[]): number | undefined {
  const used = new Set(walls.map(({ number }) => number));
  return Array.from({ length: maxWalls }, (_, index) => index + 1).find((number) => !used.has(number));
}

/** Distance of a point from the line between two others, metres. */
function distanceToSegment(point: EastNorth, a: EastNorth, b: EastNorth): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const squared = dx * dx + dy * dy;
  const along = squared === 0 ? 0 : ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / squared;
  const fraction = Math.min(1, Math.max(0, along));
  return distanceBetween(point, [a[0] + fraction * dx, a[1] + fraction * dy]);
}

/** The part of a wall nearest to a point, by the index of its end. Undefined beyond the tolerance (metres). */
function findPart({ points }: DrawnWall, point: EastNorth, tolerance: number): number | undefined {
  let nearest: { readonly index: number; readonly distance: number } | undefined;
  for (let index = 1; index < points.length; index++) {
    const distance = distanceToSegment(point, points[index - 1]!, points[index]!);
    if (distance <= tolerance && distance < (nearest?.distance ?? Infinity)) nearest = { index, distance };
  }
  return nearest?.index;
}

/** The number of a wall at a point. */
export const findWallAt = (walls: readonly DrawnWall[], point: EastNorth, tolerance: number): number | undefined =>
  walls.find((wall) => findPart(wall, point, tolerance) !== undefined)?.number;

/** The corner of another wall at a point, so that walls meet exactly; else the point itself, in millimetres. */
export function snapToCorner(
  walls: readonly DrawnWall[],
  point: EastNorth,
  tolerance: number,
  number: number,
): EastNorth {
  const corners = walls.flatMap((wall) => (wall.number === number ? [] : wall.points));
  const [nearest] = corners
    .filter((corner) => distanceBetween(corner, point) <= tolerance)
    .toSorted((a, b) => distanceBetween(a, point) - distanceBetween(b, point));
  return nearest ?? [roundMetres(point[0]), roundMetres(point[1])];
}

const replaceWall = (walls: readonly DrawnWall[], wall: DrawnWall): DrawnWall[] =>
  [...walls.filter(({ number }) => number !== wall.number), wall].toSorted((a, b) => a.number - b.number);

/**
 * Adds a point to a wall, which may be new: within one of its parts if the point is on it, else at its end. Undefined
 * if the wall has as many points as it can have.
 */
export function addWallPoint(
  walls: readonly DrawnWall[],
  number: number,
  point: EastNorth,
  tolerance: number,
): DrawnWall[] | undefined {
  const wall = walls.find((each) => each.number === number) ?? { number, points: [] };
  if (wall.points.length >= maxWallPoints) return undefined;
  const at = findPart(wall, point, tolerance) ?? wall.points.length;
  const placed = snapToCorner(walls, point, tolerance, number);
  return replaceWall(walls, { number, points: wall.points.toSpliced(at, 0, placed) });
}

/** Moves a point of a wall, or removes it without a place. A wall without points is removed. */
export function changeWallPoint(
  walls: readonly DrawnWall[],
  number: number,
  index: number,
  point: EastNorth | undefined,
): DrawnWall[] {
  const wall = walls.find((each) => each.number === number);
  if (!wall) return [...walls];
  const moved: EastNorth[] = point ? [[roundMetres(point[0]), roundMetres(point[1])]] : [];
  const points = wall.points.toSpliced(index, 1, ...moved);
  return points.length === 0 ? walls.filter((each) => each !== wall) : replaceWall(walls, { number, points });
}
