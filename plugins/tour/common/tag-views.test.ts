import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDirection, times } from '#core';
import { computeVisibleShare, minVisibleShare, rankView } from './tag-views.ts';

const pan = fc.double({ min: 0, max: 360, noNaN: true });
const tilt = fc.double({ min: -85, max: 85, noNaN: true });
const distance = fc.double({ min: 1, max: 25, noNaN: true });

describe('computeVisibleShare', () => {
  it('tells what is behind a wall from what is in front of it, in any direction', () => {
    fc.assert(
      fc.property(pan, tilt, distance, (atPan, atTilt, metres) => {
        const ray = times(toDirection(atPan, atTilt), metres);
        expect(computeVisibleShare(ray, 'VALVE', () => metres + 0.1)).toBe(1);
        expect(computeVisibleShare(ray, 'VALVE', () => metres * 0.4)).toBeLessThan(minVisibleShare);
      }),
      { seed: 20261126 },
    );
  });

  it('counts the surface of a vessel around its centre as the vessel', () => {
    const ray = times(toDirection(0, 0), 10);
    expect(computeVisibleShare(ray, 'VESSEL', () => 8.5)).toBe(1);
    expect(computeVisibleShare(ray, 'VALVE', () => 8.5)).toBe(0);
  });

  it('sees a tag that a beam hides in part, and one before the sky', () => {
    const ray = times(toDirection(90, 0), 5);
    const share = computeVisibleShare(ray, 'VALVE', (_, beamTilt) => (beamTilt > -1 ? 2 : 5));
    expect(share).toBeCloseTo(3 / 9);
    expect(computeVisibleShare(ray, 'VALVE', () => 0)).toBe(1);
  });
});

describe('rankView', () => {
  it('prefers near views, and a level one to a steep one', () => {
    const views = [
      { distance: 9, tilt: 5 },
      { distance: 3, tilt: -88 },
      { distance: 4, tilt: 30 },
    ];
    expect(views.toSorted((a, b) => rankView(a) - rankView(b)).map((view) => view.distance)).toEqual([4, 9, 3]);
  });
});
