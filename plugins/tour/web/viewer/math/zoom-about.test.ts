import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shortestTurn } from '#core';
import { createCamera, directionOfPixel } from './camera.ts';
import { deviceDirection } from './device-direction.ts';
import { zoomAbout } from './zoom-about.ts';

it('keeps the point under the cursor', () => {
  const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true });
  fc.assert(
    fc.property(
      degrees(0, 359),
      degrees(-50, 50),
      degrees(20, 90),
      degrees(20, 90),
      degrees(0, 1),
      degrees(0, 1),
      (pan, tilt, before, after, across, down) => {
        const view = { pan, tilt, fov: before };
        const [width, height] = [1280, 720];
        const next = zoomAbout(view, after, width, height, across * width, down * height);
        expect(next.fov).toBe(after);
        const one = directionOfPixel(createCamera(view, width, height), across * width, down * height);
        const two = directionOfPixel(createCamera(next, width, height), across * width, down * height);
        const free = Math.abs(one.tilt) < 70 && Math.abs(next.tilt) < 85;
        if (free && (next.pan !== view.pan || next.tilt !== view.tilt)) {
          expect(Math.abs(shortestTurn(one.pan, two.pan))).toBeLessThan(0.1);
          expect(Math.abs(one.tilt - two.tilt)).toBeLessThan(0.1);
        }
      },
    ),
  );
});

it('zooms to the centre at the zenith, where no turn keeps the point', () => {
  expect(zoomAbout({ pan: 10, tilt: 90, fov: 60 }, 30, 1280, 720, 640, 360)).toEqual({ pan: 10, tilt: 90, fov: 30 });
});

it('computes the direction of a device', () => {
  // Upright with its back to the north; rotated by 90 degrees to the east; flat with the screen up.
  expect(deviceDirection(0, 90, 0)).toEqual({ pan: 0, tilt: expect.closeTo(0, 6) as number });
  expect(deviceDirection(270, 90, 0).pan).toBeCloseTo(90);
  expect(deviceDirection(0, 0, 0).tilt).toBeCloseTo(-90);
  expect(deviceDirection(0, 120, 0).tilt).toBeCloseTo(30);
});
