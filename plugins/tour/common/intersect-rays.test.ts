import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distanceBetween, minus, unitVector, type Point3 } from '#core';
import { intersectRays, type Ray } from './intersect-rays.ts';

const coordinate = fc.double({ min: -50, max: 50, noNaN: true });
const point = fc.tuple(coordinate, coordinate, coordinate);
const aimAt = (origin: Point3, target: Point3): Ray => ({ origin, direction: unitVector(minus(target, origin)) });

describe('intersectRays', () => {
  it('finds any point that two cameras look at', () => {
    fc.assert(
      fc.property(point, point, point, (a, b, target) => {
        fc.pre(distanceBetween(a, target) > 0.1 && distanceBetween(b, target) > 0.1);
        const intersection = intersectRays(aimAt(a, target), aimAt(b, target));
        if ('problem' in intersection) return intersection.problem === 'parallel';
        return distanceBetween(intersection.point, target) < 1e-6 && intersection.gap < 1e-6;
      }),
      { seed: 20261126 },
    );
  });

  it('returns the middle of the gap between rays that miss each other', () => {
    const intersection = intersectRays(
      { origin: [0, 0, 0], direction: [1, 0, 0] },
      { origin: [5, -5, 0.2], direction: [0, 1, 0] },
    );
    expect(intersection).toEqual({ point: [5, 0, 0.1], gap: expect.closeTo(0.2, 12), angle: 90 });
  });

  it('refuses rays that are nearly parallel or diverge in front of the cameras', () => {
    const east: Ray = { origin: [0, 0, 0], direction: [1, 0, 0] };
    expect(intersectRays(east, aimAt([0, 0.1, 0], [10, 0, 0]))).toEqual({ problem: 'parallel' });
    expect(intersectRays(east, { origin: [-5, -5, 0], direction: [0, 1, 0] })).toEqual({ problem: 'behind' });
    expect(intersectRays(east, { origin: [5, 5, 0], direction: [0, 1, 0] })).toEqual({ problem: 'behind' });
  });
});
