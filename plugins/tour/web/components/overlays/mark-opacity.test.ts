import { expect, it } from 'vitest';
import { computeMarkOpacity } from './mark-opacity.ts';

it.each([
  [5, 1],
  [31, 0.725],
  [80, 0.45],
])('[TOUR-21] fades a mark that is %d m away to %d', (metres, opacity) => {
  const points = [
    [0, metres + 9, 0],
    [0, metres, 0],
  ] as const;
  expect(computeMarkOpacity(points, { eye: [0, 0, 0], occluded: false })).toBeCloseTo(opacity, 9);
});

it('[TOUR-21] dims an occluded mark, also next to the eye', () => {
  expect(computeMarkOpacity([[0, 1, 0]], { eye: [0, 0, 0], occluded: true })).toBe(0.35);
  expect(computeMarkOpacity([[0, 1, 0]], { eye: undefined, occluded: false })).toBe(1);
});
