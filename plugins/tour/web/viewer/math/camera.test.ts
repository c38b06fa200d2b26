import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDirection, computeShortestTurn } from '#core';
import { createCamera, writeClipMatrix, computePanTilt, projectDirection, computePixelsPerRadian } from './camera.ts';

const anyView = fc.record({
  pan: fc.double({ min: 0, max: 359.99, noNaN: true }),
  tilt: fc.double({ min: -89, max: 89, noNaN: true }),
  fov: fc.double({ min: 15, max: 100, noNaN: true }),
});
const anySize = fc.record({ width: fc.integer({ min: 320, max: 3840 }), height: fc.integer({ min: 320, max: 2160 }) });
const anyFraction = fc.double({ min: 0, max: 1, noNaN: true });

describe('camera', () => {
  it('projects the view direction to the centre', () => {
    fc.assert(
      fc.property(anyView, anySize, (view, { width, height }) => {
        const pixel = projectDirection(createCamera(view, width, height), toDirection(view.pan, view.tilt))!;
        expect(pixel.x).toBeCloseTo(width / 2, 6);
        expect(pixel.y).toBeCloseTo(height / 2, 6);
      }),
    );
  });

  it('projects the direction of a pixel back to the pixel', () => {
    fc.assert(
      fc.property(anyView, anySize, anyFraction, anyFraction, (view, { width, height }, across, down) => {
        const camera = createCamera(view, width, height);
        const { pan, tilt } = computePanTilt(camera, across * width, down * height);
        const pixel = projectDirection(camera, toDirection(pan, tilt))!;
        expect(pixel.x).toBeCloseTo(across * width, 4);
        expect(pixel.y).toBeCloseTo(down * height, 4);
      }),
    );
  });

  it('projects east to the right of north, higher directions above the centre, and nothing behind the camera', () => {
    const camera = createCamera({ pan: 0, tilt: 0, fov: 60 }, 800, 600);
    expect(projectDirection(camera, toDirection(10, 0))!.x).toBeGreaterThan(400);
    expect(projectDirection(camera, toDirection(0, 10))!.y).toBeLessThan(300);
    expect(projectDirection(camera, toDirection(180, 0))).toBeUndefined();
  });

  it('projects nothing onto an image without a size', () => {
    expect(projectDirection(createCamera({ pan: 0, tilt: 0, fov: 60 }, 0, 0), toDirection(0, 0))).toBeUndefined();
  });

  it('spans the vertical field of view from edge to edge', () => {
    const camera = createCamera({ pan: 0, tilt: 0, fov: 58.7 }, 1280, 720);
    expect(computePanTilt(camera, 640, 0).tilt).toBeCloseTo(29.35, 6);
    expect(Math.abs(computeShortestTurn(computePanTilt(camera, 1280, 360).pan, 45))).toBeLessThan(0.1);
    expect(computePixelsPerRadian(camera)).toBeCloseTo(640, 0);
  });

  it('projects directions to pixels as the clip matrix does', () => {
    fc.assert(
      fc.property(anyView, anySize, anyFraction, anyFraction, (view, { width, height }, across, down) => {
        const camera = createCamera(view, width, height);
        const { pan, tilt } = computePanTilt(camera, across * width, down * height);
        const [x, y, z] = toDirection(pan, tilt);
        const matrix = writeClipMatrix(camera, new Float32Array(16));
        const clip = (row: number): number =>
          matrix[row]! * x + matrix[row + 4]! * y + matrix[row + 8]! * z + matrix[row + 12]!;
        expect(((clip(0) / clip(3) + 1) / 2) * width).toBeCloseTo(across * width, 0);
        expect(((1 - clip(1) / clip(3)) / 2) * height).toBeCloseTo(down * height, 0);
        expect(Math.abs(clip(2) / clip(3))).toBeLessThan(1);
      }),
    );
  });
});
