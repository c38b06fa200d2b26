import { describe, expect, it } from 'vitest';
import { toDirection, distanceBetween } from '#core';
import { eyeFor } from './eye-for.ts';

describe('eyeFor', () => {
  it('shows a sphere completely, also in a tall window', () => {
    const eye = { position: [0, 0, 0] as const, pan: 40, tilt: 0, fov: 60 };
    for (const aspect of [1.6, 0.5]) {
      const { position, pan, tilt } = eyeFor([10, 10, 2], 3, eye, aspect);
      const half = Math.min(30, (Math.atan(Math.tan(Math.PI / 6) * aspect) * 180) / Math.PI);
      expect((Math.asin(3 / distanceBetween(position, [10, 10, 2])) * 180) / Math.PI).toBeLessThan(half);
      const [x, y, z] = toDirection(pan, tilt);
      const away = distanceBetween(position, [10, 10, 2]);
      expect([position[0] + x * away, position[1] + y * away, position[2] + z * away]).toEqual([
        expect.closeTo(10, 6),
        expect.closeTo(10, 6),
        expect.closeTo(2, 6),
      ]);
    }
  });
});
