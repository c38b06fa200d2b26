import {
  perpendicularAxes,
  crossProduct,
  distanceBetween,
  dotProduct,
  vectorLength,
  minus,
  plus,
  times,
  type Point3,
} from '#core';
import { propagate, type MeasuredPoint } from './propagation.ts';

export interface Polygon {
  /** Square metres, of the polygon's projection onto the best fitting plane. */
  readonly area: number;
  /** One standard deviation in square metres, or undefined if unknown. */
  readonly sigma: number | undefined;
  /** Metres. */
  readonly perimeter: number;
  /** Largest distance of a corner from the plane, metres. */
  readonly offPlane: number;
  /** Normal of the plane. Seen from its tip, the corners run anticlockwise. */
  readonly normal: Point3;
  /** Whether edges cross, which makes the area meaningless. */
  readonly crossing: boolean;
}

/**
 * Measures the polygon of three or more corners in space. Its area is half the length of Newell's normal. The gradient
 * at a corner is half the distance between its two neighbours. Undefined for fewer or collinear corners.
 *
 * @see Sutherland, Sproull and Schumacker 1974
 */
export function measurePolygon(corners: readonly MeasuredPoint[]): Polygon | undefined {
  const points = corners.map(({ point }) => point);
  const firstPoint = points[0];
  if (!firstPoint || points.length < 3) return undefined;
  const getCornerAfter = (index: number): Point3 => points[(index + 1) % points.length] ?? firstPoint;
  const getCornerBefore = (index: number): Point3 => points[(index + points.length - 1) % points.length] ?? firstPoint;
  // Coordinates are relative to the first corner, because products of large coordinates would lose digits.
  let newell: Point3 = [0, 0, 0];
  let perimeter = 0;
  points.forEach((point, index) => {
    newell = plus(newell, times(crossProduct(minus(point, firstPoint), minus(getCornerAfter(index), firstPoint)), 0.5));
    perimeter += distanceBetween(point, getCornerAfter(index));
  });
  const area = vectorLength(newell);
  if (area <= perimeter * perimeter * 1e-12) return undefined;
  const normal = times(newell, 1 / area);
  const centre = plus(
    firstPoint,
    times(
      points.reduce<Point3>((sum, point) => plus(sum, minus(point, firstPoint)), [0, 0, 0]),
      1 / points.length,
    ),
  );
  const gradients = points.map(
    (_, index) => vectorLength(crossProduct(minus(getCornerAfter(index), getCornerBefore(index)), normal)) / 2,
  );
  return {
    area,
    sigma: propagate(corners.map((corner, index) => [gradients[index] ?? 0, corner.sigma])),
    perimeter,
    offPlane: Math.max(...points.map((point) => Math.abs(dotProduct(minus(point, centre), normal)))),
    normal,
    crossing: hasCrossingEdges(points, normal),
  };
}

function hasCrossingEdges(points: readonly Point3[], normal: Point3): boolean {
  const [u, v] = perpendicularAxes(normal);
  const flat = points.map((point): readonly [number, number] => [dotProduct(point, u), dotProduct(point, v)]);
  const edges = flat.map((point, index) => [point, flat[(index + 1) % flat.length] ?? point] as const);
  return edges.some(([a, b], i) =>
    edges.some(
      ([c, d], k) =>
        k > i + 1 &&
        !(i === 0 && k === edges.length - 1) &&
        computeSide(a, b, c) * computeSide(a, b, d) < 0 &&
        computeSide(c, d, a) * computeSide(c, d, b) < 0,
    ),
  );
}

type Point2 = readonly [number, number];
const computeSide = (a: Point2, b: Point2, c: Point2): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
