import { describe, expect, it } from 'vitest';
import { directionOf, distanceOf } from '#core';
import { eyeFor, lookFrom, ModelMotion } from './model-motion.ts';

describe('motion in the model', () => {
  it('walks level whatever one looks at, and no further in a pause than in a tenth of a second', () => {
    const motion = new ModelMotion();
    motion.set({ position: [0, 0, 1.7], pan: 90, tilt: -60 });
    motion.moveSteadily({ forward: 2 });
    motion.step(0);
    motion.step(50);
    expect(motion.state.position.map((value) => Math.round(value * 1000) / 1000)).toEqual([0.1, 0, 1.7]);
    motion.step(60_000);
    expect(motion.state.position[0]).toBeCloseTo(0.3, 6);
    motion.moveSteadily({});
    expect(motion.moving).toBe(false);
  });

  it('goes round its target at the same distance, looking at it', () => {
    const motion = new ModelMotion();
    motion.mode = 'orbit';
    motion.target = [5, 5, 0];
    motion.set({ position: [5, -5, 4], ...lookFrom([5, -5, 4], [5, 5, 0]) });
    const away = distanceOf(motion.state.position, motion.target);
    for (const turn of [30, 100, -250]) motion.turn(turn, -3);
    expect(distanceOf(motion.state.position, motion.target)).toBeCloseTo(away, 9);
    const { pan, tilt } = lookFrom(motion.state.position, motion.target);
    expect([motion.state.pan, motion.state.tilt]).toEqual([expect.closeTo(pan, 6), expect.closeTo(tilt, 6)]);
  });

  it('flies eased to a place by the short way round, and at once with reduced motion', () => {
    const motion = new ModelMotion();
    motion.set({ pan: 350 });
    motion.flyTo({ position: [10, 0, 0], pan: 20 }, 1000, false);
    motion.step(1350);
    expect(motion.state.position[0]).toBeCloseTo(5, 6);
    expect(motion.state.pan).toBeCloseTo(5, 6);
    motion.step(1701);
    expect(motion.state).toMatchObject({ position: [10, 0, 0], pan: 20 });
    expect(motion.moving).toBe(false);
    motion.flyTo({ tilt: -30 }, 2000, true);
    expect(motion.state.tilt).toBe(-30);
  });

  it('stands so that a ball is seen whole, also in a tall window', () => {
    const eye = { position: [0, 0, 0] as const, pan: 40, tilt: 0, fov: 60 };
    for (const aspect of [1.6, 0.5]) {
      const { position, pan, tilt } = eyeFor([10, 10, 2], 3, eye, aspect);
      const half = Math.min(30, (Math.atan(Math.tan(Math.PI / 6) * aspect) * 180) / Math.PI);
      expect((Math.asin(3 / distanceOf(position, [10, 10, 2])) * 180) / Math.PI).toBeLessThan(half);
      const [x, y, z] = directionOf(pan, tilt);
      const away = distanceOf(position, [10, 10, 2]);
      expect([position[0] + x * away, position[1] + y * away, position[2] + z * away]).toEqual([expect.closeTo(10, 6), expect.closeTo(10, 6), expect.closeTo(2, 6)]);
    }
  });
});
