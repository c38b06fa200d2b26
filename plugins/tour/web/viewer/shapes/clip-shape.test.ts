import { describe, expect, it } from 'vitest';
import { toDirection, type Point3 } from '#core';
import { createCamera, pixelOfDirection } from '../math/camera.ts';
import { clipShape } from './clip-shape.ts';

/** Four directions around one. */
const square = (pan: number, tilt: number, half: number): readonly Point3[] => [
  toDirection(pan - half, tilt + half),
  toDirection(pan + half, tilt + half),
  toDirection(pan + half, tilt - half),
  toDirection(pan - half, tilt - half),
];

const inside = (points: readonly { readonly x: number; readonly y: number }[], x: number, y: number): boolean => {
  let within = false;
  points.forEach((a, k) => {
    const b = points[(k + 1) % points.length]!;
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) within = !within;
  });
  return within;
};

describe('clipShape', () => {
  it.each([0, 90, 179.5, 359.9])(
    'keeps corners on the picture for any view, including across the seam at %d degrees',
    (pan) => {
      const corners = square(pan, 3, 8);
      for (const view of [
        { pan, tilt: 0, fov: 75 },
        { pan: pan + 20, tilt: 12, fov: 40 },
        { pan: pan - 15, tilt: -10, fov: 100 },
      ]) {
        const camera = createCamera({ ...view, pan: (view.pan + 360) % 360 }, 1440, 900);
        const [part] = clipShape(corners, true, camera);
        expect(part).toHaveLength(4);
        // The clipped outline starts with the end of the first edge.
        corners.forEach((corner, k) => {
          const expected = pixelOfDirection(camera, corner)!;
          const found = part![(k + 3) % 4]!;
          expect(Math.hypot(found.x - expected.x, found.y - expected.y)).toBeLessThan(1e-6);
        });
      }
    },
  );

  it('clips behind the eye: a band around the viewer fills the area between its edges', () => {
    // A floor area to the viewer's right, from ahead to behind.
    const corners: readonly Point3[] = [
      [-1, 5, -1.7],
      [3, 5, -1.7],
      [3, -5, -1.7],
      [-1, -5, -1.7],
    ];
    const camera = createCamera({ pan: 0, tilt: 0, fov: 75 }, 1000, 1000);
    const [part] = clipShape(corners, true, camera);
    for (const [point, expected] of [
      [[0, 4, -1.7], true],
      [[2.5, 2, -1.7], true],
      [[-2, 4, -1.7], false],
      [[0, 7, -1.7], false],
    ] as const) {
      const { x, y } = pixelOfDirection(camera, point)!;
      expect(inside(part!, x, y), point.join()).toBe(expected);
    }
  });

  it('returns nothing if all is behind, and splits an open shape', () => {
    const camera = createCamera({ pan: 0, tilt: 0, fov: 75 }, 1000, 1000);
    expect(clipShape(square(180, 0, 20), true, camera)).toEqual([]);
    const there: readonly Point3[] = [
      toDirection(-20, 0),
      toDirection(-120, 0),
      toDirection(120, 0),
      toDirection(20, 0),
    ];
    expect(clipShape(there, false, camera)).toHaveLength(2);
    expect(clipShape([toDirection(0, 0), toDirection(10, 0)], false, camera)).toHaveLength(1);
  });
});
