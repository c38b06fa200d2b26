import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDirection, shortestTurn } from '#core';
import { createCamera, writeClipMatrix, computeDirection, projectDirection, computePixelsPerRadian } from './camera.ts';

const view = fc.record({
  pan: fc.double({ min: 0, max: 359.99, noNaN: true }),
  tilt: fc.double({ min: -89, max: 89, noNaN: true }),
  fov: fc.double({ min: 15, max: 100, noNaN: true }),
});
const size = fc.record({ width: fc.integer({ min: 320, max: 3840 }), height: fc.integer({ min: 320, max: 2160 }) });
const share = fc.double({ min: 0, max: 1, noNaN: true });

describe('camera', () => {
  it('projects the view direction to the centre', () => {
    fc.assert(
      fc.property(view, size, (v, { width, height }) => {
        const pixel = projectDirection(createCamera(v, width, height), toDirection(v.pan, v.tilt))!;
        expect(pixel.x).toBeCloseTo(width / 2, 6);
        expect(pixel.y).toBeCloseTo(height / 2, 6);
      }),
    );
  });

  it('inverts the projection of a pixel', () => {
    fc.assert(
      fc.property(view, size, share, share, (v, { width, height }, across, down) => {
        const camera = createCamera(v, width, height);
        const { pan, tilt } = computeDirection(camera, across * width, down * height);
        const pixel = projectDirection(camera, toDirection(pan, tilt))!;
        expect(pixel.x).toBeCloseTo(across * width, 4);
        expect(pixel.y).toBeCloseTo(down * height, 4);
      }),
    );
  });

  it('projects east to the right of north and up to the top', () => {
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
    expect(computeDirection(camera, 640, 0).tilt).toBeCloseTo(29.35, 6);
    expect(Math.abs(shortestTurn(computeDirection(camera, 1280, 360).pan, 45))).toBeLessThan(0.1);
    expect(computePixelsPerRadian(camera)).toBeCloseTo(640, 0);
  });

  it('projects directions to pixels as the clip matrix does', () => {
    fc.assert(
      fc.property(view, size, share, share, (v, { width, height }, across, down) => {
        const camera = createCamera(v, width, height);
        const { pan, tilt } = computeDirection(camera, across * width, down * height);
        const [x, y, z] = toDirection(pan, tilt);
        const m = writeClipMatrix(camera, new Float32Array(16));
        const clip = (row: number): number => m[row]! * x + m[row + 4]! * y + m[row + 8]! * z + m[row + 12]!;
        expect(((clip(0) / clip(3) + 1) / 2) * width).toBeCloseTo(across * width, 0);
        expect(((1 - clip(1) / clip(3)) / 2) * height).toBeCloseTo(down * height, 0);
        expect(Math.abs(clip(2) / clip(3))).toBeLessThan(1);
      }),
    );
  });
});
