import { describe, expect, it } from 'vitest';
import { toDirection, type Point3 } from '#core';
import { createCamera, projectDirection } from '../math/camera.ts';
import { projectShape } from './project-shape.ts';

/** Builds the corners of a square around a direction, in degrees. */
const buildSquare = (pan: number, tilt: number, halfAngle: number): readonly Point3[] => [
  toDirection(pan - halfAngle, tilt + halfAngle),
  toDirection(pan + halfAngle, tilt + halfAngle),
  toDirection(pan + halfAngle, tilt - halfAngle),
  toDirection(pan - halfAngle, tilt - halfAngle),
];

const isInside = (points: readonly { readonly x: number; readonly y: number }[], x: number, y: number): boolean => {
  let result = false;
  points.forEach((a, k) => {
    const b = points[(k + 1) % points.length]!;
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) result = !result;
  });
  return result;
};

describe('projectShape', () => {
  it.each([0, 90, 179.5, 359.9])(
    'projects corners to the same pixels as the picture, also across the seam at %d degrees',
    (pan) => {
      const corners = buildSquare(pan, 3, 8);
      for (const view of [
        { pan, tilt: 0, fov: 75 },
        { pan: pan + 20, tilt: 12, fov: 40 },
        { pan: pan - 15, tilt: -10, fov: 100 },
      ]) {
        const camera = createCamera({ ...view, pan: (view.pan + 360) % 360 }, 1440, 900);
        const [part] = projectShape(corners, true, camera);
        expect(part).toHaveLength(4);
        // The clipped outline starts with the end of the first edge.
        corners.forEach((corner, k) => {
          const expected = projectDirection(camera, corner)!;
          const pixel = part![(k + 3) % 4]!;
          expect(Math.hypot(pixel.x - expected.x, pixel.y - expected.y)).toBeLessThan(1e-6);
        });
      }
    },
  );

  it('clips the part of an area that is behind the eye', () => {
    // A floor area that extends from the front of the viewer to behind the viewer.
    const corners: readonly Point3[] = [
      [-1, 5, -1.7],
      [3, 5, -1.7],
      [3, -5, -1.7],
      [-1, -5, -1.7],
    ];
    const camera = createCamera({ pan: 0, tilt: 0, fov: 75 }, 1000, 1000);
    const [part] = projectShape(corners, true, camera);
    for (const [point, expected] of [
      [[0, 4, -1.7], true],
      [[2.5, 2, -1.7], true],
      [[-2, 4, -1.7], false],
      [[0, 7, -1.7], false],
    ] as const) {
      const { x, y } = projectDirection(camera, point)!;
      expect(isInside(part!, x, y), point.join()).toBe(expected);
    }
  });

  it('returns nothing for a shape behind the eye, and two parts of an open shape that passes behind the eye', () => {
    const camera = createCamera({ pan: 0, tilt: 0, fov: 75 }, 1000, 1000);
    expect(projectShape(buildSquare(180, 0, 20), true, camera)).toEqual([]);
    const openShape: readonly Point3[] = [
      toDirection(-20, 0),
      toDirection(-120, 0),
      toDirection(120, 0),
      toDirection(20, 0),
    ];
    expect(projectShape(openShape, false, camera)).toHaveLength(2);
    expect(projectShape([toDirection(0, 0), toDirection(10, 0)], false, camera)).toHaveLength(1);
  });
});
