import { expect, it } from 'vitest';
import { boxAround, boxCorners, distanceToBox } from './boxes.ts';

const box = boxAround([
  [1, 2, 3],
  [-1, 4, 0],
]);

it('surrounds points', () => {
  expect(box).toEqual({ min: [-1, 2, 0], max: [1, 4, 3] });
  expect(boxAround(boxCorners(box))).toEqual(box);
  expect(new Set(boxCorners(box).map(String)).size).toBe(8);
});

it('measures the distance to a box', () => {
  expect(distanceToBox([0, 3, 1], box)).toBe(0);
  expect(distanceToBox([4, 8, 1], box)).toBe(5);
  expect(distanceToBox([0, 3, -2], box)).toBe(2);
});
