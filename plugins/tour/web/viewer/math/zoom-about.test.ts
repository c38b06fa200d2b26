import fc from 'fast-check';
import { expect, it } from 'vitest';
import { computeShortestTurn } from '#core';
import { createCamera, computePanTilt } from './camera.ts';
import { computeDeviceDirection } from './device-direction.ts';
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
      (pan, tilt, fovBefore, fovAfter, across, down) => {
        const view = { pan, tilt, fov: fovBefore };
        const [width, height] = [1280, 720];
        const zoomedView = zoomAbout(view, fovAfter, width, height, across * width, down * height);
        expect(zoomedView.fov).toBe(fovAfter);
        const directionBefore = computePanTilt(createCamera(view, width, height), across * width, down * height);
        const directionAfter = computePanTilt(createCamera(zoomedView, width, height), across * width, down * height);
        const isUnlimited = Math.abs(directionBefore.tilt) < 70 && Math.abs(zoomedView.tilt) < 85;
        if (isUnlimited && (zoomedView.pan !== view.pan || zoomedView.tilt !== view.tilt)) {
          expect(Math.abs(computeShortestTurn(directionBefore.pan, directionAfter.pan))).toBeLessThan(0.1);
          expect(Math.abs(directionBefore.tilt - directionAfter.tilt)).toBeLessThan(0.1);
        }
      },
    ),
  );
});

it('zooms to the centre of the view at the zenith', () => {
  expect(zoomAbout({ pan: 10, tilt: 90, fov: 60 }, 30, 1280, 720, 640, 360)).toEqual({ pan: 10, tilt: 90, fov: 30 });
});

it('computes the direction of a device', () => {
  // The device is upright with its back to the north, then to the east, then flat with the screen up, then tilted.
  expect(computeDeviceDirection(0, 90, 0)).toEqual({ pan: 0, tilt: expect.closeTo(0, 6) as number });
  expect(computeDeviceDirection(270, 90, 0).pan).toBeCloseTo(90);
  expect(computeDeviceDirection(0, 0, 0).tilt).toBeCloseTo(-90);
  expect(computeDeviceDirection(0, 120, 0).tilt).toBeCloseTo(30);
});
