import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeShortestTurn } from '#core';
import { ViewMotion } from './view-motion.ts';

/** Runs frames of 16 ms until the motion ends. Returns the elapsed time. */
function runUntilEnd(motion: ViewMotion, from = 0): number {
  let now = from;
  for (motion.step(now); motion.moving && now < 20_000;) motion.step((now += 16));
  return now - from;
}

describe('view motion', () => {
  it('keeps angles within their limits', () => {
    const motion = new ViewMotion();
    motion.set({ pan: -10, tilt: 120, fov: 3 });
    expect(motion.view).toEqual({ pan: 350, tilt: 90, fov: 15 });
    motion.set({ fov: 170 });
    expect(motion.view).toEqual({ pan: 350, tilt: 90, fov: 100 });
  });

  it('turns in the shorter direction and ends exactly at the target', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 359 }), fc.integer({ min: 0, max: 359 }), (from, to) => {
        const motion = new ViewMotion();
        motion.set({ pan: from });
        void motion.turnTo({ pan: to, tilt: 5 }, 300, 0);
        let maxTurn = 0;
        for (let now = 0; motion.moving; now += 16) {
          motion.step(now);
          maxTurn = Math.max(maxTurn, Math.abs(computeShortestTurn(from, motion.view.pan)));
        }
        expect(motion.view).toEqual({ pan: to, tilt: 5, fov: 75 });
        expect(maxTurn).toBeLessThanOrEqual(Math.abs(computeShortestTurn(from, to)) + 1e-6);
      }),
    );
  });

  it('resolves an interrupted turn', async () => {
    const motion = new ViewMotion();
    const completion = motion.turnTo({ pan: 90 }, 1000, 0);
    motion.step(100);
    motion.stop();
    await completion;
    expect(motion.view.pan).toBeLessThan(20);
  });

  it('decelerates after a fling and stops', () => {
    const motion = new ViewMotion();
    motion.set({ pan: 100 });
    motion.glide(60, 0);
    const time = runUntilEnd(motion);
    expect(motion.view.pan).toBeGreaterThan(115);
    expect(motion.view.pan).toBeLessThan(121);
    expect(time).toBeLessThan(2_000);
  });

  it('turns as long as a key is held', () => {
    const motion = new ViewMotion();
    motion.turnSteadily({ pan: 70, tilt: 0, fov: 0 }, 0);
    for (let now = 0; now <= 1_000; now += 16) motion.step(now);
    expect(motion.view.pan).toBeGreaterThan(65);
    motion.turnSteadily({ pan: 0, tilt: 0, fov: 0 }, 1_010);
    expect(motion.moving).toBe(false);
  });

  it('turns by a key that was pressed and released between two frames', () => {
    const motion = new ViewMotion();
    motion.turnSteadily({ pan: 70, tilt: 0, fov: 0 }, 1_000);
    motion.turnSteadily({ pan: 0, tilt: 0, fov: 0 }, 1_080);
    expect(motion.view.pan).toBeCloseTo(5.6);
    motion.turnSteadily({ pan: 70, tilt: 0, fov: 0 }, 1_200);
    // The next frame started before the key was pressed.
    motion.step(1_190);
    motion.step(1_290);
    expect(motion.view.pan).toBeCloseTo(12.6);
  });

  it('keeps turning to a view when a key is released', () => {
    const motion = new ViewMotion();
    motion.turnSteadily({ pan: 0, tilt: 0, fov: 1 }, 0);
    void motion.turnTo({ pan: 90 }, 400, 50);
    motion.turnSteadily({ pan: 0, tilt: 0, fov: 0 }, 100);
    motion.step(450);
    expect(motion.view.pan).toBe(90);
    motion.turnSteadily({ pan: 0, tilt: 0, fov: 1 }, 500);
    expect(motion.moving).toBe(true);
  });

  it('limits the step after a pause between frames', () => {
    const motion = new ViewMotion();
    motion.turnSteadily({ pan: 70, tilt: 0, fov: 0 }, 0);
    motion.step(0);
    motion.step(60_000);
    expect(motion.view.pan).toBeLessThanOrEqual(7);
  });
});
