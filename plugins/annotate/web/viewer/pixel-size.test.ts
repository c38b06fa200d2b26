import { describe, expect, it } from 'vitest';
import { toRadians, type Point3 } from '#core';
import { pixelSizeAt } from './pixel-size.ts';

/** A camera at the origin that looks north, 400 pixels per unit of depth. */
const surface = {
  toPixel: ([x, y, z]: Point3) => (y > 0 ? { x: 400 + (x / y) * 400, y: 300 - (z / y) * 400 } : undefined),
};
const buildNormal = (degrees: number): Point3 => [Math.sin(toRadians(degrees)), -Math.cos(toRadians(degrees)), 0];

describe('pixelSizeAt', () => {
  it('[TOUR-24] grows with the distance', () => {
    expect(pixelSizeAt(surface, [0, 5, 0])).toBeCloseTo(0.0125, 4);
    expect(pixelSizeAt(surface, [0, 10, 0])).toBeCloseTo(0.025, 4);
  });

  it.each([
    [0, 1],
    [60, 2],
    [89.9, 6],
  ])('[TOUR-24] on a surface that leans by %d degrees is %d times as large', (degrees, times) => {
    expect(pixelSizeAt(surface, [0, 5, 0], buildNormal(degrees))).toBeCloseTo(0.0125 * times, 3);
  });

  it('[TOUR-24] is unknown behind the eye', () => {
    expect(pixelSizeAt(surface, [0, -1, 0])).toBeUndefined();
  });
});
