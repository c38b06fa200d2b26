import { describe, expect, it } from 'vitest';
import { toDirection, distanceBetween, minus, toPanTilt } from '#core';
import { EasedCameraController } from './eased-camera-controller.ts';

const setup = () => new EasedCameraController({ position: [0, 0, 1.7], pan: 0, tilt: 0, fov: 60 });

describe('EasedCameraController', () => {
  it('moves horizontally, independent of the tilt', () => {
    const walk = setup();
    walk.set({ pan: 90, tilt: -40 });
    walk.setHeldMotion({ ahead: 2 });
    for (let now = 0; now <= 1000; now += 50) walk.step(now);
    const [x, y, z] = walk.view.position;
    expect([x.toFixed(3), y.toFixed(3), z]).toEqual(['2.000', '0.000', 1.7]);
    walk.setHeldMotion({});
    expect(walk.moving).toBe(false);
  });

  it('limits the step after a pause', () => {
    const walk = setup();
    walk.setHeldMotion({ ahead: 2 });
    walk.step(0);
    walk.step(60_000);
    expect(walk.view.position[1]).toBeCloseTo(0.2);
  });

  it('moves towards the point under the pointer and never through it', () => {
    const walk = setup();
    const aim = [1, 4, 2] as const;
    walk.advance(1, aim);
    expect(distanceBetween(walk.view.position, aim)).toBeCloseTo(distanceBetween([0, 0, 1.7], aim) - 1);
    walk.advance(100, aim);
    expect(distanceBetween(walk.view.position, aim)).toBeCloseTo(0.1);
    expect(walk.view.pan).toBe(0);
  });

  it('slides in the plane of the picture and moves the orbit target along', () => {
    const walk = setup();
    walk.set({ pan: 30, tilt: 20 });
    const before = walk.view.position;
    const target = walk.target;
    walk.slide(1, 2);
    const ahead = toDirection(30, 20);
    const moved = minus(walk.view.position, before);
    expect(moved[0] * ahead[0] + moved[1] * ahead[1] + moved[2] * ahead[2]).toBeCloseTo(0);
    expect(Math.hypot(...moved)).toBeCloseTo(Math.sqrt(5));
    expect(distanceBetween(minus(walk.target, target), moved)).toBeCloseTo(0);
  });

  it('orbits its target at a constant distance and looks at it', () => {
    const walk = setup();
    walk.mode = 'orbit';
    walk.target = [5, 5, 0];
    walk.set({ position: [5, -5, 4], ...toPanTilt(minus([5, 5, 0], [5, -5, 4])) });
    const away = distanceBetween(walk.view.position, walk.target);
    for (const turn of [30, 100, -250]) walk.turn(turn, -3);
    expect(distanceBetween(walk.view.position, walk.target)).toBeCloseTo(away, 9);
    const { pan, tilt } = toPanTilt(minus(walk.target, walk.view.position));
    expect([walk.view.pan, walk.view.tilt]).toEqual([expect.closeTo(pan, 6), expect.closeTo(tilt, 6)]);
  });

  it('turns the short way with easing, flies in twice the time, and does both at once with reduced motion', () => {
    const walk = setup();
    walk.set({ pan: 350 });
    const { position } = walk.view;
    walk.flyTo({ pan: 10, fov: 40 }, 0, false);
    walk.step(175);
    expect(walk.view.pan).toBeCloseTo(0, 6);
    walk.step(351);
    expect([walk.view.pan, walk.view.fov, walk.moving]).toEqual([10, 40, false]);
    expect(walk.view.position).toBe(position);
    walk.flyTo({ position: [10, 0, 1.7], pan: 30 }, 1000, false);
    walk.step(1350);
    expect(walk.view.position[0]).toBeCloseTo(5, 6);
    walk.step(1701);
    expect(walk.view).toMatchObject({ position: [10, 0, 1.7], pan: 30 });
    walk.flyTo({ pan: 90 }, 2000, true);
    expect([walk.view.pan, walk.moving]).toEqual([90, false]);
  });

  it('continues a turn if only its position changes, but not after a turn or movement by hand', () => {
    const walk = setup();
    walk.flyTo({ pan: 90 }, 0, false);
    walk.step(175);
    walk.set({ position: [3, 0, 1.7] });
    walk.step(351);
    expect(walk.view).toMatchObject({ position: [3, 0, 1.7], pan: 90 });
    for (const byHand of [() => walk.slide(1, 0), () => walk.turn(1, 0), () => walk.set({ pan: 50 })]) {
      walk.flyTo({ pan: 10 }, 1000, false);
      byHand();
      expect(walk.moving).toBe(false);
    }
  });

  it('ends a flight when a key is held', () => {
    const walk = setup();
    walk.flyTo({ position: [10, 0, 1.7] }, 0, false);
    walk.setHeldMotion({ pan: 60 });
    walk.step(100);
    walk.step(200);
    expect([walk.view.position, walk.view.pan]).toEqual([[0, 0, 1.7], expect.closeTo(6, 6)]);
  });

  it('limits tilt and field of view', () => {
    const walk = setup();
    walk.turn(0, 200);
    walk.set({ fov: 500 });
    expect([walk.view.tilt, walk.view.fov]).toEqual([89.9, 100]);
  });
});
