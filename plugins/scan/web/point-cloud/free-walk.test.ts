import { describe, expect, it } from 'vitest';
import { directionOf, distanceOf } from '#core';
import { FreeWalk } from './free-walk.ts';

const stand = () => new FreeWalk({ position: [0, 0, 1.7], pan: 0, tilt: 0, fov: 60 });

describe('a walk through a cloud', () => {
  it('goes on level ground, wherever one looks', () => {
    const walk = stand();
    walk.set({ pan: 90, tilt: -40 });
    walk.hold({ ahead: 2 });
    for (let now = 0; now <= 1000; now += 50) walk.step(now);
    const [x, y, z] = walk.view.position;
    expect([x.toFixed(3), y.toFixed(3), z]).toEqual(['2.000', '0.000', 1.7]);
    walk.hold({});
    expect(walk.moving).toBe(false);
  });

  it('is not thrown ahead by a pause', () => {
    const walk = stand();
    walk.hold({ ahead: 2 });
    walk.step(0);
    walk.step(60_000);
    expect(walk.view.position[1]).toBeCloseTo(0.2);
  });

  it('goes towards what is under the pointer, and never through it', () => {
    const walk = stand();
    const aim = [1, 4, 2] as const;
    walk.advance(1, aim);
    expect(distanceOf(walk.view.position, aim)).toBeCloseTo(distanceOf([0, 0, 1.7], aim) - 1);
    walk.advance(100, aim);
    expect(distanceOf(walk.view.position, aim)).toBeCloseTo(0.1);
    expect(walk.view.pan).toBe(0);
  });

  it('slides in the plane of the picture', () => {
    const walk = stand();
    walk.set({ pan: 30, tilt: 20 });
    const before = walk.view.position;
    walk.slide(1, 2);
    const ahead = directionOf(30, 20);
    const moved = walk.view.position.map((value, axis) => value - before[axis]!) as [number, number, number];
    expect(moved[0] * ahead[0] + moved[1] * ahead[1] + moved[2] * ahead[2]).toBeCloseTo(0);
    expect(Math.hypot(...moved)).toBeCloseTo(Math.sqrt(5));
  });

  it('glides the short way round, and at once where motion is not wanted', () => {
    const walk = stand();
    walk.set({ pan: 350 });
    walk.glideTo({ pan: 10, fov: 40 }, 0, false);
    walk.step(60);
    expect(walk.view.pan > 350 || walk.view.pan < 10).toBe(true);
    walk.step(2000);
    expect([walk.view.pan, walk.view.fov, walk.moving]).toEqual([10, 40, false]);
    walk.glideTo({ pan: 90 }, 0, true);
    expect([walk.view.pan, walk.moving]).toEqual([90, false]);
  });

  it('keeps the tilt and the field of view within their limits', () => {
    const walk = stand();
    walk.turn(0, 200);
    walk.set({ fov: 500 });
    expect([walk.view.tilt, walk.view.fov]).toEqual([89.9, 100]);
  });
});
