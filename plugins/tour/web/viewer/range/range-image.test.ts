import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDirection, distanceBetween, toPanTilt, type Point3 } from '#core';
import { growPatch } from './grow-patch.ts';
import { pickRange } from './pick-range.ts';
import {
  computeRangeDirection,
  createRangeImage,
  findRangePixel,
  computeRangePoint,
  type RangeImage,
} from './range-image.ts';
import { fitSurface } from './fit-surface.ts';

const shape = { width: 2048, height: 1024, position: [100, 200, 10] as Point3, heading: 30 };

/** Creates the ranges of a station 3 m south of a wall (y = 203). A post of 100 mm diameter is 2 m to the north. */
function createRoom(noise: () => number = () => 0): RangeImage {
  const ranges = new Uint16Array(shape.width * shape.height);
  const image = createRangeImage(ranges, shape);
  for (let row = 0; row < shape.height; row += 1) {
    for (let column = 0; column < shape.width; column += 1) {
      const [x, y] = computeRangeDirection(image, column, row);
      const wall = y > 0.01 ? 3 / y : Infinity;
      // The ray (x, y) t intersects the circle of radius 0.05 around (0, 2).
      const [a, b] = [x * x + y * y, -2 * y];
      const discriminant = b * b - a * (4 - 0.0025);
      const post = discriminant > 0 && y > 0 ? (-b - Math.sqrt(discriminant)) / a : Infinity;
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
        const { pan, tilt } = toPanTilt(computeRangeDirection(image, column, row));
        expect(findRangePixel(image, pan, tilt)).toEqual({ column, row });
      }),
    );
    expect(
      computeRangeDirection(image, 1024, 512)
        .map((value, k) => value - toDirection(30 + 180 / 2048, -90 / 1024)[k]!)
        .every((difference) => Math.abs(difference) < 1e-12),
    ).toBe(true);
  });

  it('[TOUR-08] picks the point and the normal of the surface in a direction', () => {
    const pick = pickRange(createRoom(), 20, 5)!;
    expect(pick.point[1]).toBeCloseTo(203, 2);
    expect(pick.normal![1]).toBeLessThan(-0.99);
    expect(pick.edge).toBe(false);
    expect(pick.sigma).toBeLessThan(0.001);
    expect(pickRange(createRoom(), 200, 0)).toBeUndefined();
  });

  it('[TOUR-08] reports an edge and returns the foreground if it is under the pointer', () => {
    const image = createRoom();
    // The station sees the side of the post asin(0.05 / 2) to the east.
    const side = (Math.asin(0.05 / 2) * 180) / Math.PI;
    const pixel = 360 / shape.width;
    const [onPost, besidePost] = [pickRange(image, side - 0.6 * pixel, 0)!, pickRange(image, side + 0.3 * pixel, 0)!];
    expect([onPost.edge, besidePost.edge]).toEqual([true, true]);
    expect([onPost.sigma, besidePost.sigma]).toEqual([undefined, undefined]);
    expect(distanceBetween(onPost.point, image.position)).toBeLessThan(2.05);
    expect(besidePost.point[1]).toBeCloseTo(203, 2);
  });

  it('[TOUR-08] reduces noise and reports its amount', () => {
    let state = 1;
    const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    const image = createRoom(() => 0.003 * Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random()));
    const { column, row } = findRangePixel(image, 10, 0);
    expect(fitSurface(image, column, row)!.standardDeviation).toBeGreaterThan(0.0015);
    expect(fitSurface(image, column, row)!.standardDeviation).toBeLessThan(0.0045);
    const errors = Array.from({ length: 60 }, (_, k) => pickRange(image, 5 + k / 3, k / 3 - 10)!)
      .filter((pick) => !pick.edge)
      .map((pick) => Math.abs(pick.point[1] - 203));
    expect(errors.length).toBeGreaterThan(50);
    expect(errors.toSorted((a, b) => a - b)[errors.length >> 1]).toBeLessThan(0.0015);
  });

  it('[TOUR-08] grows a patch up to the edges of its surface', () => {
    const image = createRoom();
    const post = growPatch(image, findRangePixel(image, 0, 0), { radius: 0.4 });
    expect(post.length / 3).toBeGreaterThan(200);
    for (let k = 0; k < post.length; k += 3)
      expect(Math.abs(Math.hypot(post[k]! - 100, post[k + 1]! - 202) - 0.05)).toBeLessThan(0.002);
    const wall = growPatch(image, findRangePixel(image, 12, 0), { radius: 0.4 });
    for (let k = 0; k < wall.length; k += 3) expect(wall[k + 1]).toBeCloseTo(203, 2);
    const centre = computeRangePoint(image, findRangePixel(image, 12, 0).column, findRangePixel(image, 12, 0).row)!;
    for (let k = 0; k < wall.length; k += 3)
      expect(distanceBetween([wall[k]!, wall[k + 1]!, wall[k + 2]!], centre)).toBeLessThan(0.4);
    expect(growPatch(image, findRangePixel(image, 200, 0), { radius: 1 })).toHaveLength(0);
  });
});
