import { describe, expect, it } from 'vitest';
import { distanceBetween } from '#core';
import { createSampleCloud } from './sample-cloud.ts';
import { toPixelDirection, sampleEye, castRay } from './sample-room.ts';

describe('scan sample', () => {
  it('is a room with a wall 6 m to the north and a floor 1.6 m below', () => {
    expect(castRay(0, 0).range).toBeCloseTo(6);
    expect(castRay(0, -90).range).toBeCloseTo(1.6);
    expect(castRay(270, 0).point[0]).toBeCloseTo(-4);
  });

  it('has a pipe of 220 mm in front of the wall', () => {
    const pan = (Math.atan2(1.2, 3.4) * 180) / Math.PI;
    const { range, point } = castRay(pan, 0);
    expect(range).toBeCloseTo(Math.hypot(1.2, 3.4) - 0.11);
    expect(Math.hypot(point[0] - 1.2, point[1] - 3.4)).toBeCloseTo(0.11);
    expect(
      Math.hypot(...([0, 1] as const).map((axis) => castRay(pan, 10).point[axis] - [1.2, 3.4][axis]!)),
    ).toBeCloseTo(0.11);
  });

  it('has the same geometry as a panorama and as a cloud', () => {
    expect(toPixelDirection(512, 255.5, 1024)).toEqual({ pan: expect.closeTo(0.176, 3) as number, tilt: 0 });
    const { root, count } = createSampleCloud();
    expect(count).toBeGreaterThan(90_000);
    const { tile } = root;
    const floats = new DataView(tile!.blocks[0]!.bytes.buffer);
    for (let k = 0; k < count; k += 997) {
      const point = [0, 4, 8].map((offset) => floats.getFloat32(k * 20 + offset, true)) as [number, number, number];
      const [x, y, z] = [point[0] - sampleEye[0], point[1] - sampleEye[1], point[2] - sampleEye[2]];
      const hit = castRay((Math.atan2(x, y) * 180) / Math.PI, (Math.atan2(z, Math.hypot(x, y)) * 180) / Math.PI);
      expect(Math.abs(hit.range - distanceBetween(point, sampleEye))).toBeLessThan(0.01);
    }
  });
});
