import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDirection, distanceBetween, toPanTilt, type Point3 } from '#core';
import { growPatch } from './grow-patch.ts';
import { pickRange } from './pick-range.ts';
import { rangeDirection, createRangeImage, rangePixel, rangePoint, type RangeImage } from './range-image.ts';
import { surfaceAt } from './surface-at.ts';

const shape = { width: 2048, height: 1024, position: [100, 200, 10] as Point3, heading: 30 };

/** A station 3 m south of an infinite wall (y = 203), with a post of 100 mm diameter 2 m to the north. */
function room(noise: () => number = () => 0): RangeImage {
  const ranges = new Uint16Array(shape.width * shape.height);
  const image = createRangeImage(ranges, shape);
  for (let row = 0; row < shape.height; row += 1) {
    for (let column = 0; column < shape.width; column += 1) {
      const [x, y] = rangeDirection(image, column, row);
      const wall = y > 0.01 ? 3 / y : Infinity;
      // The ray (x, y) t intersects the circle of radius 0.05 around (0, 2).
      const [a, b] = [x * x + y * y, -2 * y];
      const inside = b * b - a * (4 - 0.0025);
      const post = inside > 0 && y > 0 ? (-b - Math.sqrt(inside)) / a : Infinity;
      const range = Math.min(wall, post);
      ranges[row * shape.width + column] = range > 60 ? 0 : Math.round((range + noise()) * 1000);
    }
  }
  return image;
}

describe('range image', () => {
  it('converts directions to pixels and back', () => {
    const image = createRangeImage(new Uint16Array(0), shape);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2047 }), fc.integer({ min: 1, max: 1022 }), (column, row) => {
        const { pan, tilt } = toPanTilt(rangeDirection(image, column, row));
        expect(rangePixel(image, pan, tilt)).toEqual({ column, row });
      }),
    );
    expect(
      rangeDirection(image, 1024, 512)
        .map((value, k) => value - toDirection(30 + 180 / 2048, -90 / 1024)[k]!)
        .every((difference) => Math.abs(difference) < 1e-12),
    ).toBe(true);
  });

  it('[TOUR-08] returns the point in a direction to a millimetre, with the normal of its surface', () => {
    const pick = pickRange(room(), 20, 5)!;
    expect(pick.point[1]).toBeCloseTo(203, 2);
    expect(pick.normal![1]).toBeLessThan(-0.99);
    expect(pick.edge).toBe(false);
    expect(pick.sigma).toBeLessThan(0.001);
    expect(pickRange(room(), 200, 0)).toBeUndefined();
  });

  it('[TOUR-08] reports an edge and returns the foreground if it is under the pointer', () => {
    const image = room();
    // The side of the post, seen from the station: asin(0.05 / 2) degrees to the east.
    const side = (Math.asin(0.05 / 2) * 180) / Math.PI;
    const pixel = 360 / shape.width;
    const [on, beside] = [pickRange(image, side - 0.6 * pixel, 0)!, pickRange(image, side + 0.3 * pixel, 0)!];
    expect([on.edge, beside.edge]).toEqual([true, true]);
    expect([on.sigma, beside.sigma]).toEqual([undefined, undefined]);
    expect(distanceBetween(on.point, image.position)).toBeLessThan(2.05);
    expect(beside.point[1]).toBeCloseTo(203, 2);
  });

  it('[TOUR-08] averages noise and reports its amount', () => {
    let state = 1;
    const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    const image = room(() => 0.003 * Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random()));
    const { column, row } = rangePixel(image, 10, 0);
    expect(surfaceAt(image, column, row)!.scatter).toBeGreaterThan(0.0015);
    expect(surfaceAt(image, column, row)!.scatter).toBeLessThan(0.0045);
    const errors = Array.from({ length: 60 }, (_, k) => pickRange(image, 5 + k / 3, k / 3 - 10)!)
      .filter((pick) => !pick.edge)
      .map((pick) => Math.abs(pick.point[1] - 203));
    expect(errors.length).toBeGreaterThan(50);
    expect(errors.toSorted((a, b) => a - b)[errors.length >> 1]).toBeLessThan(0.0015);
  });

  it('[TOUR-08] grows over the hit surface up to its edges', () => {
    const image = room();
    const post = growPatch(image, rangePixel(image, 0, 0), { radius: 0.4 });
    expect(post.length / 3).toBeGreaterThan(200);
    for (let k = 0; k < post.length; k += 3)
      expect(Math.abs(Math.hypot(post[k]! - 100, post[k + 1]! - 202) - 0.05)).toBeLessThan(0.002);
    const wall = growPatch(image, rangePixel(image, 12, 0), { radius: 0.4 });
    for (let k = 0; k < wall.length; k += 3) expect(wall[k + 1]).toBeCloseTo(203, 2);
    const centre = rangePoint(image, rangePixel(image, 12, 0).column, rangePixel(image, 12, 0).row)!;
    for (let k = 0; k < wall.length; k += 3)
      expect(distanceBetween([wall[k]!, wall[k + 1]!, wall[k + 2]!], centre)).toBeLessThan(0.4);
    expect(growPatch(image, rangePixel(image, 200, 0), { radius: 1 })).toHaveLength(0);
  });
});
