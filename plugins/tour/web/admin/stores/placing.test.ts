import { expect, it } from 'vitest';
import { findPlace, type Bearing } from './placing.ts';

const fromA: Bearing = { node: 'a', origin: [0, 0, 2], pan: 90, tilt: 0 };
const fromB: Bearing = { node: 'b', origin: [4, -3, 2.2], pan: 0, tilt: 0 };

it('places a tag on the surface, else where the directions from two viewpoints meet', () => {
  expect(findPlace([1, 2, 3], fromA, fromB)).toEqual({ way: 'depth', point: [1, 2, 3] });
  expect(findPlace(null, fromA, undefined)).toEqual({ way: 'second' });
  expect(findPlace(null, { ...fromA, pan: 100 }, fromA)).toEqual({ way: 'second' });
  expect(findPlace(null, fromB, fromA)).toEqual({
    way: 'bearings',
    point: [4, expect.closeTo(0, 9), expect.closeTo(2.1, 9)],
    gap: expect.closeTo(0.2, 9),
  });
  expect(findPlace(null, { ...fromB, pan: 90 }, fromA)).toEqual({ way: 'refused', problem: 'parallel' });
});
