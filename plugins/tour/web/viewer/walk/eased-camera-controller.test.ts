import { describe, expect, it } from 'vitest';
import { toDirection, distanceBetween, minus, toPanTilt } from '#core';
import { EasedCameraController } from './eased-camera-controller.ts';

const setup = () => new EasedCameraController({ position: [0, 0, 1.7], pan: 0, tilt: 0, fov: 60 });

describe('EasedCameraController', () => {
  it('moves horizontally at any tilt', () => {
    const controller = setup();
    controller.set({ pan: 90, tilt: -40 });
    controller.setHeldMotion({ forward: 2 }, 0);
    for (let now = 0; now <= 1000; now += 50) controller.step(now);
    const [x, y, z] = controller.view.position;
    expect([x.toFixed(3), y.toFixed(3), z]).toEqual(['2.000', '0.000', 1.7]);
    controller.setHeldMotion({}, 1000);
    expect(controller.moving).toBe(false);
  });

  it('limits the step after a pause', () => {
    const controller = setup();
    controller.setHeldMotion({ forward: 2 }, 0);
    controller.step(0);
    controller.step(60_000);
    expect(controller.view.position[1]).toBeCloseTo(0.2);
  });

  it('moves by a key that was pressed and released between two frames', () => {
    const controller = setup();
    controller.setHeldMotion({ forward: 2 }, 1000);
    controller.setHeldMotion({}, 1080);
    expect(controller.view.position[1]).toBeCloseTo(0.16);
    controller.step(2000);
    expect(controller.view.position[1]).toBeCloseTo(0.16);
  });

  it('moves towards the point under the pointer and never through it', () => {
    const controller = setup();
    const target = [1, 4, 2] as const;
    controller.advance(1, target);
    expect(distanceBetween(controller.view.position, target)).toBeCloseTo(distanceBetween([0, 0, 1.7], target) - 1);
    controller.advance(100, target);
    expect(distanceBetween(controller.view.position, target)).toBeCloseTo(0.1);
    expect(controller.view.pan).toBe(0);
  });

  it('slides eye and orbit target in the plane of the picture', () => {
    const controller = setup();
    controller.set({ pan: 30, tilt: 20 });
    const before = controller.view.position;
    const target = controller.target;
    controller.slide(1, 2);
    const forward = toDirection(30, 20);
    const displacement = minus(controller.view.position, before);
    expect(displacement[0] * forward[0] + displacement[1] * forward[1] + displacement[2] * forward[2]).toBeCloseTo(0);
    expect(Math.hypot(...displacement)).toBeCloseTo(Math.sqrt(5));
    expect(distanceBetween(minus(controller.target, target), displacement)).toBeCloseTo(0);
  });

  it('orbits its target at a constant distance and looks at it', () => {
    const controller = setup();
    controller.mode = 'orbit';
    controller.target = [5, 5, 0];
    controller.set({ position: [5, -5, 4], ...toPanTilt(minus([5, 5, 0], [5, -5, 4])) });
    const distance = distanceBetween(controller.view.position, controller.target);
    for (const turn of [30, 100, -250]) controller.turn(turn, -3);
    expect(distanceBetween(controller.view.position, controller.target)).toBeCloseTo(distance, 9);
    const { pan, tilt } = toPanTilt(minus(controller.target, controller.view.position));
    expect([controller.view.pan, controller.view.tilt]).toEqual([expect.closeTo(pan, 6), expect.closeTo(tilt, 6)]);
  });

  it('eases turns, eases flights for a longer time, and jumps with reduced motion', () => {
    const controller = setup();
    controller.set({ pan: 350 });
    const { position } = controller.view;
    controller.flyTo({ pan: 10, fov: 40 }, 0, false);
    controller.step(175);
    expect(controller.view.pan).toBeCloseTo(0, 6);
    controller.step(351);
    expect([controller.view.pan, controller.view.fov, controller.moving]).toEqual([10, 40, false]);
    expect(controller.view.position).toBe(position);
    controller.flyTo({ position: [10, 0, 1.7], pan: 30 }, 1000, false);
    controller.step(1350);
    expect(controller.view.position[0]).toBeCloseTo(5, 6);
    controller.step(1701);
    expect(controller.view).toMatchObject({ position: [10, 0, 1.7], pan: 30 });
    controller.flyTo({ pan: 90 }, 2000, true);
    expect([controller.view.pan, controller.moving]).toEqual([90, false]);
  });

  it('continues a turn if only the position is set, but ends it after a manual turn or movement', () => {
    const controller = setup();
    controller.flyTo({ pan: 90 }, 0, false);
    controller.step(175);
    controller.set({ position: [3, 0, 1.7] });
    controller.step(351);
    expect(controller.view).toMatchObject({ position: [3, 0, 1.7], pan: 90 });
    for (const moveManually of [
      () => controller.slide(1, 0),
      () => controller.turn(1, 0),
      () => controller.set({ pan: 50 }),
    ]) {
      controller.flyTo({ pan: 10 }, 1000, false);
      moveManually();
      expect(controller.moving).toBe(false);
    }
  });

  it('ends a flight when a key is held', () => {
    const controller = setup();
    controller.flyTo({ position: [10, 0, 1.7] }, 0, false);
    controller.setHeldMotion({ pan: 60 }, 0);
    controller.step(0);
    controller.step(100);
    expect([controller.view.position, controller.view.pan]).toEqual([[0, 0, 1.7], expect.closeTo(6, 6)]);
  });

  it('limits tilt and field of view', () => {
    const controller = setup();
    controller.turn(0, 200);
    controller.set({ fov: 500 });
    expect([controller.view.tilt, controller.view.fov]).toEqual([89.9, 100]);
  });
});
