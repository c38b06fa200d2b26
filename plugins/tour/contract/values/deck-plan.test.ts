import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromPlan, toPlan } from './deck-plan.ts';

const plan = { address: '', width: 400, height: 200, centre: [100, 50], scale: 0.1, heading: 0 } as const;

it('converts the corners of a plan that points north', () => {
  expect(toPlan(plan, [80, 60])).toEqual({ x: 0, y: 0 });
  expect(toPlan(plan, [120, 40])).toEqual({ x: 1, y: 1 });
});

it('converts points of a plan whose upper edge points east', () => {
  const east = { ...plan, heading: 90 };
  // The right edge of this plan is to the south.
  const { x, y } = toPlan(east, [100, 30]);
  expect([x, y].map((value) => Math.round(value * 1e9) / 1e9)).toEqual([1, 0.5]);
  expect(fromPlan(east, { x: 0.5, y: 0 })[0]).toBeCloseTo(110, 9);
});

it('inverts toPlan for any rotation of the plan', () => {
  const metres = fc.double({ min: -5000, max: 5000, noNaN: true });
  fc.assert(
    fc.property(metres, metres, fc.double({ min: -360, max: 360, noNaN: true }), (east, north, heading) => {
      const turnedPlan = { ...plan, heading };
      const [x, y] = fromPlan(turnedPlan, toPlan(turnedPlan, [east, north]));
      expect(Math.hypot(x - east, y - north)).toBeLessThan(1e-6);
    }),
  );
});
