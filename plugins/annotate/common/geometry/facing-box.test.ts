import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crossProduct, distanceBetween, dotProduct, minus, plus, times, unitVector, type Point3 } from '#core';
import { computeEllipse, computeFacingBox } from './facing-box.ts';

const eye: Point3 = [10, -4, 1.7];

describe('facingBox', () => {
  it('[TOUR-09] returns a flat rectangle at the depth of the marked point with the clicked corners', () => {
    const offset = fc.double({ min: 0.1, max: 1, noNaN: true });
    const depth = fc.double({ min: 2, max: 30, noNaN: true });
    const heading = fc.double({ min: 0, max: 2 * Math.PI, noNaN: true });
    fc.assert(
      fc.property(
        heading,
        fc.double({ min: -1, max: 1, noNaN: true }),
        depth,
        depth,
        depth,
        offset,
        offset,
        (pan, tilt, middle, near, far, aside, above) => {
          const sight: Point3 = [Math.sin(pan) * Math.cos(tilt), Math.cos(pan) * Math.cos(tilt), Math.sin(tilt)];
          const right = unitVector(crossProduct(sight, [0, 0, 1]));
          const upwards = crossProduct(right, sight);
          const pointOnRay = (x: number, y: number, range: number): Point3 =>
            plus(eye, times(unitVector(plus(sight, plus(times(right, x), times(upwards, y)))), range));
          const [first, second] = [pointOnRay(-aside, above, near), pointOnRay(aside, -above, far)];
          const corners = computeFacingBox(eye, plus(eye, times(sight, middle)), first, second)!;
          const [a, b, c, d] = corners;
          for (const corner of corners) expect(dotProduct(minus(corner, eye), sight)).toBeCloseTo(middle, 6);
          expect(dotProduct(unitVector(minus(b, a)), unitVector(minus(d, a)))).toBeCloseTo(0, 6);
          expect(b[2] - a[2]).toBeCloseTo(0, 6);
          expect(distanceBetween(plus(b, minus(d, a)), c)).toBeCloseTo(0, 6);
          expect(dotProduct(unitVector(minus(a, eye)), unitVector(minus(first, eye)))).toBeCloseTo(1, 9);
          expect(dotProduct(unitVector(minus(c, eye)), unitVector(minus(second, eye)))).toBeCloseTo(1, 9);
        },
      ),
    );
  });

  it('returns undefined without an area or if a corner lies behind the eye', () => {
    expect(computeFacingBox([0, 0, 0], [0, 5, 0], [1, 5, 1], [2, 10, 2])).toBeUndefined();
    expect(computeFacingBox([0, 0, 0], [0, 5, 0], [-1, 5, -1], [1, -5, 1])).toBeUndefined();
    expect(computeFacingBox([0, 5, 0], [0, 5, 0], [-1, 5, -1], [1, 5, 1])).toBeUndefined();
  });

  it('[TOUR-09] contains an ellipse that touches the middles of its sides', () => {
    const points = computeEllipse(
      [
        [-2, 5, 1],
        [2, 5, 1],
        [2, 5, -1],
        [-2, 5, -1],
      ],
      4,
    );
    const expected: readonly Point3[] = [
      [2, 5, 0],
      [0, 5, -1],
      [-2, 5, 0],
      [0, 5, 1],
    ];
    for (const [index, point] of points.entries()) expect(distanceBetween(point, expected[index]!)).toBeCloseTo(0, 9);
  });
});
