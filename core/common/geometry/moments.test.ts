import { describe, expect, it } from 'vitest';
import { dotProduct, Moments, unitVector, type Point3 } from '#core';

const computeMoments = (points: readonly Point3[]) => {
  const moments = new Moments();
  for (const point of points) moments.add(...point);
  return moments;
};

describe('Moments', () => {
  it('computes the normal and the residual of a plane through points', () => {
    const normal = unitVector([1, -2, 3]);
    const points = [-2, -1, 0, 1, 2].flatMap((u) => [-1, 0, 1].map((v): Point3 => [5 + u, v, (2 * v - u + 7) / 3]));
    const { values, vectors } = computeMoments(points).computeAxesAboutMean();
    expect(Math.abs(dotProduct(vectors[0], normal))).toBeCloseTo(1, 9);
    expect(values[0]).toBeCloseTo(0, 9);
  });

  it('computes the direction perpendicular to all points, about the origin', () => {
    const { vectors } = computeMoments([
      [1, 0, 0],
      [0, 1, 0],
      [Math.SQRT1_2, Math.SQRT1_2, 0],
    ]).computeAxesAboutOrigin();
    expect(Math.abs(vectors[0][2])).toBeCloseTo(1, 9);
  });

  it('respects weights', () => {
    const weightedMoments = new Moments();
    weightedMoments.add(1, 2, 3, 2);
    weightedMoments.add(3, 1, 0);
    expect(weightedMoments.totalWeight).toBe(3);
    expect(weightedMoments.computeAxesAboutMean()).toEqual(
      computeMoments([
        [1, 2, 3],
        [1, 2, 3],
        [3, 1, 0],
      ]).computeAxesAboutMean(),
    );
  });
});
