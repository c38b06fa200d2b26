import type { DeckWall } from '../../../contract/api/tour-content.ts';
import { maxWallPoints, maxWalls } from '../../../contract/values/content-values.ts';
import { roundMetres, type EastNorth } from './to-eye-point.ts';

/** A wall that is being drawn. It can still have no point or only one. */
export type DrawnWall = DeckWall;

const distanceBetween = (a: EastNorth, b: EastNorth): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

export const computeWallLength = ({ points }: DrawnWall): number =>
  points.reduce((sum, point, index) => sum + (index === 0 ? 0 : distanceBetween(points[index - 1]!, point)), 0);

export const sumWallLengths = (walls: readonly DrawnWall[]): number =>
  walls.reduce((sum, wall) => sum + computeWallLength(wall), 0);

/** Finds the lowest unused wall number. Undefined if the deck has the maximum number of walls. */
export function findFreeNumber(walls: readonly DrawnWall[]): number | undefined {
  const usedNumbers = new Set(walls.map(({ number }) => number));
  return Array.from({ length: maxWalls }, (_, index) => index + 1).find((number) => !usedNumbers.has(number));
}

/** Computes the distance between a point and a line segment, metres. */
function distanceToSegment(point: EastNorth, a: EastNorth, b: EastNorth): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const squaredLength = dx * dx + dy * dy;
  const along = squaredLength === 0 ? 0 : ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / squaredLength;
  const fraction = Math.min(1, Math.max(0, along));
  return distanceBetween(point, [a[0] + fraction * dx, a[1] + fraction * dy]);
}

/**
 * Finds the segment of a wall nearest to a point. Returns the index of its end, or undefined beyond the tolerance
 * (metres).
 */
function findSegment({ points }: DrawnWall, point: EastNorth, tolerance: number): number | undefined {
  let nearest: { readonly index: number; readonly distance: number } | undefined;
  for (let index = 1; index < points.length; index++) {
    const distance = distanceToSegment(point, points[index - 1]!, points[index]!);
    if (distance <= tolerance && distance < (nearest?.distance ?? Infinity)) nearest = { index, distance };
  }
  return nearest?.index;
}

/** Finds the number of the wall at a point. */
export const findWallAt = (walls: readonly DrawnWall[], point: EastNorth, tolerance: number): number | undefined =>
  walls.find((wall) => findSegment(wall, point, tolerance) !== undefined)?.number;

/** Returns the corner of another wall near the point, so that walls meet exactly, else the point rounded to millimetres. */
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
 * Adds a point to an existing or new wall: within a segment if the point is on it, else at the end. Undefined if the
 * wall has the maximum number of points.
 */
export function addWallPoint(
  walls: readonly DrawnWall[],
  number: number,
  point: EastNorth,
  tolerance: number,
): DrawnWall[] | undefined {
  const wall = walls.find((candidate) => candidate.number === number) ?? { number, points: [] };
  if (wall.points.length >= maxWallPoints) return undefined;
  const insertIndex = findSegment(wall, point, tolerance) ?? wall.points.length;
  const snappedPoint = snapToCorner(walls, point, tolerance, number);
  return replaceWall(walls, { number, points: wall.points.toSpliced(insertIndex, 0, snappedPoint) });
}

/** Moves a point of a wall, or removes the point if the new position is undefined. Removes walls without points. */
export function changeWallPoint(
  walls: readonly DrawnWall[],
  number: number,
  index: number,
  point: EastNorth | undefined,
): DrawnWall[] {
  const wall = walls.find((candidate) => candidate.number === number);
  if (!wall) return [...walls];
  const replacement: EastNorth[] = point ? [[roundMetres(point[0]), roundMetres(point[1])]] : [];
  const points = wall.points.toSpliced(index, 1, ...replacement);
  return points.length === 0 ? walls.filter((other) => other !== wall) : replaceWall(walls, { number, points });
}
