import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toDirection, normalizePan, toPanTilt, computeShortestTurn } from './angles.ts';

const pan = fc.double({ min: -2000, max: 2000, noNaN: true });

it('normalises any pan into [0, 360)', () => {
  fc.assert(
    fc.property(pan, (value) => {
      const result = normalizePan(value);
      expect(result).toBeGreaterThanOrEqual(0);
      expect(result).toBeLessThan(360);
      expect(Math.abs(Math.sin(((result - value) * Math.PI) / 180))).toBeLessThan(1e-9);
    }),
  );
  expect(normalizePan(-1e-20)).toBe(0);
});

it('returns the shortest turn', () => {
  expect(computeShortestTurn(350, 10)).toBeCloseTo(20);
  expect(computeShortestTurn(10, 350)).toBeCloseTo(-20);
  fc.assert(
    fc.property(pan, pan, (from, to) => {
      const turn = computeShortestTurn(from, to);
      expect(Math.abs(turn)).toBeLessThanOrEqual(180);
      expect(Math.abs(computeShortestTurn(from + turn, to))).toBeLessThan(1e-6);
    }),
  );
});

it('maps pan and tilt to north, east and up of the site frame', () => {
  expect(toDirection(0, 0)).toEqual([0, 1, 0]);
  expect(toDirection(90, 0)[0]).toBeCloseTo(1);
  expect(toDirection(37, 90)[2]).toBeCloseTo(1);
});

it('recovers pan and tilt from a direction', () => {
  fc.assert(
    fc.property(pan, fc.double({ min: -89, max: 89, noNaN: true }), (initialPan, initialTilt) => {
      const result = toPanTilt(toDirection(initialPan, initialTilt));
      expect(Math.abs(computeShortestTurn(result.pan, initialPan))).toBeLessThan(1e-6);
      expect(result.tilt).toBeCloseTo(initialTilt, 6);
    }),
  );
});
