import { expect, it } from 'vitest';
import { locateTag, type Bearing } from './locate-tag.ts';

const fromA: Bearing = { node: 'a', origin: [0, 0, 2], pan: 90, tilt: 0 };
const fromB: Bearing = { node: 'b', origin: [4, -3, 2.2], pan: 0, tilt: 0 };

it('locates a tag on the surface, or at the intersection of the directions from two viewpoints', () => {
  expect(locateTag([1, 2, 3], fromA, fromB)).toEqual({ kind: 'depth', point: [1, 2, 3] });
  expect(locateTag(null, fromA, undefined)).toEqual({ kind: 'second' });
  expect(locateTag(null, { ...fromA, pan: 100 }, fromA)).toEqual({ kind: 'second' });
  expect(locateTag(null, fromB, fromA)).toEqual({
    kind: 'bearings',
    point: [4, expect.closeTo(0, 9), expect.closeTo(2.1, 9)],
    gap: expect.closeTo(0.2, 9),
  });
  expect(locateTag(null, { ...fromB, pan: 90 }, fromA)).toEqual({ kind: 'refused', problem: 'parallel' });
});
