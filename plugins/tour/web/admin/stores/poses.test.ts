import { describe, expect, it } from 'vitest';
import { findKeyStep, findKeyTurn, movePose, turnPose, turnPoseTo } from './poses.ts';
import { toEyePoint } from './to-eye-point.ts';

const pose = { position: [10, 20, 14.1] as const, heading: 350 };

describe('poses', () => {
  it('moves by metres, rounded to millimetres', () => {
    expect(movePose(pose, [0.1 + 0.2, -20.00049], 0.5)).toEqual({ position: [10.3, 0, 14.6], heading: 350 });
  });

  it('does not round unchanged coordinates', () => {
    const exact = { position: [1.23456, 2.34567, 3] as const, heading: 12.3456 };
    expect(turnPose(movePose(exact, [0, 0]), 0)).toBe(exact);
  });

  it('keeps headings from 0 to 360 degrees when a pose is turned', () => {
    expect(turnPose(pose, 15).heading).toBe(5);
    expect(turnPose(pose, -360).heading).toBe(350);
  });

  it.each([
    [[10, 30], 0],
    [[20, 20], 90],
    [[10, 10], 180],
    [[0, 20], 270],
  ] as const)('turns to the point %j', (point, heading) => {
    expect(turnPoseTo(pose, point).heading).toBe(heading);
  });

  it('keeps the heading if the point equals the position', () => {
    expect(turnPoseTo(pose, [10, 20])).toBe(pose);
  });

  it('places a point at eye height above a deck', () => {
    expect(toEyePoint([1, 2], 12.5)).toEqual([1, 2, 14.1]);
  });

  it('moves by keys along the axes of the plan', () => {
    const step = (key: string, shiftKey: boolean, heading: number) =>
      findKeyStep({ key, shiftKey }, heading)?.map((value) => Math.round(value * 1e6) / 1e6 + 0);
    expect(step('ArrowRight', false, 0)).toEqual([0.1, 0]);
    expect(step('ArrowUp', true, 0)).toEqual([0, 1]);
    // The upper edge of this plan is east.
    expect(step('ArrowUp', true, 90)).toEqual([1, 0]);
    expect(step('ArrowRight', true, 90)).toEqual([0, -1]);
    expect([step('a', false, 0), findKeyTurn('['), findKeyTurn(']'), findKeyTurn('x')]).toEqual([
      undefined,
      -1,
      1,
      undefined,
    ]);
  });
});
