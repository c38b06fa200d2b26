import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { perpendicularAxes, plus, times, unitVector, type Point3 } from '#core';
import { angleAt } from './angle.ts';
import { measureChain, measureLeg } from './distance.ts';
import { measurePolygon } from './polygon.ts';
import type { MeasuredPoint } from './propagation.ts';
import { createRandom } from './random.ts';
import { createGaussianNoise } from '../../testing/common/gaussian.ts';

const withSigma = (point: Point3, sigma = 0.002): MeasuredPoint => ({ point, sigma });
const withoutSigma = (point: Point3): MeasuredPoint => ({ point, sigma: undefined });
const coordinate = fc.integer({ min: -64_000, max: 64_000 }).map((steps) => steps / 64);
const position = fc.tuple(coordinate, coordinate, coordinate);

/** Simulates the spread of a value whose points move by noise of their sigma. */
function computeSpread(points: readonly MeasuredPoint[], value: (points: readonly MeasuredPoint[]) => number): number {
  const noise = createGaussianNoise(createRandom(11));
  const values = Array.from({ length: 4000 }, () =>
    value(
      points.map(({ point, sigma }) => ({
        point: [point[0] + noise() * sigma!, point[1] + noise() * sigma!, point[2] + noise() * sigma!],
        sigma,
      })),
    ),
  );
  const mean = values.reduce((sum, sample) => sum + sample, 0) / values.length;
  return Math.sqrt(values.reduce((sum, sample) => sum + (sample - mean) ** 2, 0) / values.length);
}
const expectWithin = (fraction: number, actual: number | undefined, expected: number) =>
  expect(Math.abs(actual! / expected - 1)).toBeLessThan(fraction);

describe('distance', () => {
  it('[TOUR-08] sums the legs with the horizontal and vertical part of each', () => {
    const chain = measureChain([withSigma([0, 0, 0]), withSigma([3, 4, 12]), withSigma([3, 4, 10])])!;
    expect(chain.legs.map((leg) => [leg.length.value, leg.horizontal.value, leg.vertical.value])).toEqual([
      [13, 5, 12],
      [2, 0, -2],
    ]);
    expect(chain.total.value).toBe(15);
    expect(chain.direct.horizontal.value).toBe(5);
    expect(measureChain([withSigma([0, 0, 0])])).toBeUndefined();
  });

  it('[TOUR-08] has the uncertainty that simulated noise gives', () => {
    const points = [withSigma([0, 0, 0], 0.004), withSigma([2, 0, 0], 0.01), withSigma([2, 3, 1], 0.002)];
    expectWithin(
      0.05,
      measureChain(points)!.total.sigma,
      computeSpread(points, (movedPoints) => measureChain(movedPoints)!.total.value),
    );
    expect(measureLeg(withSigma([0, 0, 0], 0.003), withSigma([0, 0, 1], 0.004)).length.sigma).toBeCloseTo(0.005, 12);
    expect(measureChain([withoutSigma([0, 0, 0]), withSigma([1, 0, 0])])!.total.sigma).toBeUndefined();
    // A corner in the middle of a straight chain has no effect.
    expect(
      measureChain([withSigma([0, 0, 0]), withoutSigma([1, 0, 0]), withSigma([2, 0, 0])])!.total.sigma,
    ).toBeCloseTo(0.002 * Math.SQRT2, 12);
  });

  it('[TOUR-08] is symmetric and never shorter than the straight line', () => {
    fc.assert(
      fc.property(fc.array(position, { minLength: 2, maxLength: 8 }), (points) => {
        const forward = measureChain(points.map((point) => withSigma(point)))!;
        const backward = measureChain(points.toReversed().map((point) => withSigma(point)))!;
        expect(backward.total.value).toBeCloseTo(forward.total.value, 9);
        expect(forward.total.value).toBeGreaterThanOrEqual(forward.direct.length.value - 1e-9);
        forward.legs.forEach(({ length, horizontal, vertical }) =>
          expect(Math.hypot(horizontal.value, vertical.value)).toBeCloseTo(length.value, 9),
        );
      }),
    );
  });
});

describe('angle', () => {
  it('[TOUR-08] is the angle between the arms in degrees', () => {
    expect(angleAt(withSigma([0, 0, 0]), withSigma([1, 0, 0]), withSigma([0, 2, 0]))!.value).toBeCloseTo(90, 12);
    expect(angleAt(withSigma([1, 1, 1]), withSigma([2, 1, 1]), withSigma([-3, 1, 1]))!.value).toBeCloseTo(180, 12);
    expect(angleAt(withSigma([0, 0, 0]), withSigma([1, 0, 0]), withSigma([1, 1e-7, 0]))!.value).toBeCloseTo(
      5.729577951e-6,
      12,
    );
    expect(angleAt(withSigma([0, 0, 0]), withSigma([0, 0, 0]), withSigma([1, 0, 0]))).toBeUndefined();
  });

  it('[TOUR-08] has the uncertainty that simulated noise gives', () => {
    const points = [
      withSigma([0, 0, 0], 0.003),
      withSigma([1, 0.2, 0], 0.002),
      withSigma([0.3, 0.8, 0.5], 0.004),
    ] as const;
    expectWithin(
      0.05,
      angleAt(...points)!.sigma,
      computeSpread(points, ([vertex, one, other]) => angleAt(vertex!, one!, other!)!.value),
    );
  });

  it('[TOUR-08] sums to 180 degrees in a triangle', () => {
    fc.assert(
      fc.property(position, position, position, (a, b, c) => {
        const [p, q, r] = [withSigma(a), withSigma(b), withSigma(c)];
        const angles = [angleAt(p, q, r), angleAt(q, r, p), angleAt(r, p, q)];
        if (angles.every((angle) => angle !== undefined))
          expect(angles.reduce((sum, angle) => sum + angle.value, 0)).toBeCloseTo(180, 6);
      }),
    );
  });
});

describe('area', () => {
  const square: readonly Point3[] = [
    [0, 0, 0],
    [2, 0, 0],
    [2, 1, 0],
    [0, 1, 0],
  ];

  it('[TOUR-08] is correct at any orientation and distance from the origin', () => {
    fc.assert(
      fc.property(position, fc.tuple(coordinate, coordinate, fc.integer({ min: 1, max: 1000 })), (origin, axis) => {
        const [u, v] = perpendicularAxes(unitVector(axis));
        const corners = square.map(([x, y]) => withSigma(plus(origin, plus(times(u, x), times(v, y)))));
        const polygon = measurePolygon(corners)!;
        expect(polygon.area).toBeCloseTo(2, 8);
        expect(polygon.perimeter).toBeCloseTo(6, 8);
        expect(polygon.offPlane).toBeLessThan(1e-9);
        expect(polygon.crossing).toBe(false);
      }),
    );
  });

  it('[TOUR-08] uses the best fitting plane and returns the largest distance of a corner', () => {
    const polygon = measurePolygon([
      withSigma([0, 0, 0.05]),
      withSigma([2, 0, -0.05]),
      withSigma([2, 2, 0.05]),
      withSigma([0, 2, -0.05]),
    ])!;
    expect(polygon.offPlane).toBeCloseTo(0.05, 12);
    expect(polygon.area).toBeCloseTo(4, 12);
    expect(polygon.normal[2]).toBeCloseTo(1, 12);
  });

  it('[TOUR-08] has the uncertainty that simulated noise gives and detects crossed edges', () => {
    const points = [withSigma([0, 0, 0], 0.004), withSigma([2, 0, 0]), withSigma([2.5, 1, 0.1]), withSigma([0, 1, 0])];
    expectWithin(
      0.05,
      measurePolygon(points)!.sigma,
      computeSpread(points, (movedPoints) => measurePolygon(movedPoints)!.area),
    );
    expect(
      measurePolygon([withSigma([0, 0, 0]), withSigma([3, 0, 0]), withSigma([0, 1, 0]), withSigma([2, 2, 0])])!
        .crossing,
    ).toBe(true);
    expect(measurePolygon([withSigma([0, 0, 0]), withSigma([1, 1, 1]), withSigma([2, 2, 2])])).toBeUndefined();
  });
});
