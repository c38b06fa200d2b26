import { describe, expect, it } from 'vitest';
import { toDirection, distanceBetween } from '#core';
import { computeEye } from './compute-eye.ts';

describe('computeEye', () => {
  it('shows a sphere completely in wide and tall windows', () => {
    const eye = { position: [0, 0, 0] as const, pan: 40, tilt: 0, fov: 60 };
    for (const aspect of [1.6, 0.5]) {
      const { position, pan, tilt } = computeEye([10, 10, 2], 3, eye, aspect);
      const halfAngle = Math.min(30, (Math.atan(Math.tan(Math.PI / 6) * aspect) * 180) / Math.PI);
      expect((Math.asin(3 / distanceBetween(position, [10, 10, 2])) * 180) / Math.PI).toBeLessThan(halfAngle);
      const [x, y, z] = toDirection(pan, tilt);
      const distance = distanceBetween(position, [10, 10, 2]);
      expect([position[0] + x * distance, position[1] + y * distance, position[2] + z * distance]).toEqual([
        expect.closeTo(10, 6),
        expect.closeTo(10, 6),
        expect.closeTo(2, 6),
      ]);
    }
  });
});
