import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distanceBetween, minus, unitVector, type Point3 } from '#core';
import { meetRays, type Ray } from './meet-rays.ts';

const coordinate = fc.double({ min: -50, max: 50, noNaN: true });
const point = fc.tuple(coordinate, coordinate, coordinate);
const aimAt = (origin: Point3, target: Point3): Ray => ({ origin, direction: unitVector(minus(target, origin)) });

describe('meetRays', () => {
  it('finds any point that two cameras look at', () => {
    fc.assert(
      fc.property(point, point, point, (a, b, target) => {
        fc.pre(distanceBetween(a, target) > 0.1 && distanceBetween(b, target) > 0.1);
        const meeting = meetRays(aimAt(a, target), aimAt(b, target));
        if ('problem' in meeting) return meeting.problem === 'parallel';
        return distanceBetween(meeting.point, target) < 1e-6 && meeting.gap < 1e-6;
      }),
      { seed: 20261126 },
    );
  });

  it('returns the middle of the gap of rays that miss each other', () => {
    const meeting = meetRays(
      { origin: [0, 0, 0], direction: [1, 0, 0] },
      { origin: [5, -5, 0.2], direction: [0, 1, 0] },
    );
    expect(meeting).toEqual({ point: [5, 0, 0.1], gap: expect.closeTo(0.2, 12), angle: 90 });
  });

  it('refuses rays that are nearly parallel or part in front of the cameras', () => {
    const east: Ray = { origin: [0, 0, 0], direction: [1, 0, 0] };
    expect(meetRays(east, aimAt([0, 0.1, 0], [10, 0, 0]))).toEqual({ problem: 'parallel' });
    expect(meetRays(east, { origin: [-5, -5, 0], direction: [0, 1, 0] })).toEqual({ problem: 'behind' });
    expect(meetRays(east, { origin: [5, 5, 0], direction: [0, 1, 0] })).toEqual({ problem: 'behind' });
  });
});
