import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDirection, times } from '#core';
import { computeVisibleFraction, minVisibleFraction, rankView } from './tag-views.ts';

const anyPan = fc.double({ min: 0, max: 360, noNaN: true });
const anyTilt = fc.double({ min: -85, max: 85, noNaN: true });
const anyDistance = fc.double({ min: 1, max: 25, noNaN: true });

describe('computeVisibleFraction', () => {
  it('treats a tag behind a wall as hidden and a tag in front of a wall as visible, in any direction', () => {
    fc.assert(
      fc.property(anyPan, anyTilt, anyDistance, (pan, tilt, distance) => {
        const ray = times(toDirection(pan, tilt), distance);
        expect(computeVisibleFraction(ray, 'VALVE', () => distance + 0.1)).toBe(1);
        expect(computeVisibleFraction(ray, 'VALVE', () => distance * 0.4)).toBeLessThan(minVisibleFraction);
      }),
      { seed: 20261126 },
    );
  });

  it('treats the surface of a vessel as a part of the vessel, whose position is its centre', () => {
    const ray = times(toDirection(0, 0), 10);
    expect(computeVisibleFraction(ray, 'VESSEL', () => 8.5)).toBe(1);
    expect(computeVisibleFraction(ray, 'VALVE', () => 8.5)).toBe(0);
  });

  it('returns the visible fraction of a tag behind a beam, and 1 for a tag in front of the sky', () => {
    const ray = times(toDirection(90, 0), 5);
    const fraction = computeVisibleFraction(ray, 'VALVE', (_, beamTilt) => (beamTilt > -1 ? 2 : 5));
    expect(fraction).toBeCloseTo(3 / 9);
    expect(computeVisibleFraction(ray, 'VALVE', () => 0)).toBe(1);
  });
});

describe('rankView', () => {
  it('prefers near views to distant views, and level views to steep views', () => {
    const views = [
      { distance: 9, tilt: 5 },
      { distance: 3, tilt: -88 },
      { distance: 4, tilt: 30 },
    ];
    expect(views.toSorted((a, b) => rankView(a) - rankView(b)).map((view) => view.distance)).toEqual([4, 9, 3]);
  });
});
