import { expect, it } from 'vitest';
import type { Point3 } from '#core';
import { projectLine } from './project-line.ts';

/** Projects to a camera at the origin that looks north, with a focal length of 100 pixels. */
const toPixel = ([x, y, z]: Point3) => (y > 0.01 ? { x: (x / y) * 100, y: (-z / y) * 100 } : undefined);

it('projects the part of a line in front of the eye and omits the part behind', () => {
  const inFront: Point3[] = [
    [-1, 2, 0],
    [1, 2, 0],
    [1, 2, 1],
  ];
  expect(projectLine(inFront, false, toPixel)).toEqual([
    [
      { x: -50, y: -0 },
      { x: 50, y: -0 },
      { x: 50, y: -50 },
    ],
  ]);
  expect(projectLine(inFront, true, toPixel)[0]).toHaveLength(4);
  expect(projectLine([[0, -2, 0]], false, toPixel)).toEqual([]);
});

it('clips a line at the plane of the eye', () => {
  const [line] = projectLine(
    [
      [1, 2, 0],
      [1, -2, 0],
    ],
    false,
    toPixel,
  );
  expect(line?.[0]).toEqual({ x: 50, y: -0 });
  expect(line).toHaveLength(2);
  expect(line![1]!.x).toBeGreaterThan(1000);
});

it('splits a closed line around the eye into its visible parts', () => {
  const pointsAroundEye: Point3[] = [
    [-1, 2, 0],
    [-1, -2, 0],
    [1, -2, 0],
    [1, 2, 0],
  ];
  const lines = projectLine(pointsAroundEye, true, toPixel);
  expect(lines.map((line) => line.length)).toEqual([2, 3]);
  expect(lines[0]![1]!.x).toBeLessThan(-1000);
  expect(lines[1]![0]!.x).toBeGreaterThan(1000);
});
