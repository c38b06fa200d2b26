import { expect, it } from 'vitest';
import type { Point3, SiteFrame } from '#core';
import { createFarFinder } from '../../../../common/far-positions.ts';
import { findFarPoses, proposeCrs } from './far-poses.ts';

const frame: SiteFrame = {
  crs: 2278,
  origin: { east: 3_000_000, north: 13_700_000, up: 0 },
  rotation: 20,
  unit: 'ftUS',
};
const [east, north] = [914_401.83, 4_175_768.35];
const emptySite = createFarFinder([]);
const plant = createFarFinder([{ west: 0, east: 300, south: 0, north: 200, lowest: 5, highest: 30 }]);

it('counts far poses, with the largest distance', () => {
  expect(findFarPoses([[10, 10, 10]], plant)).toBeUndefined();
  const positions: readonly Point3[] = [
    [10, 10, 10],
    [900, 10, 10],
    [1300, 10, 10],
  ];
  expect(findFarPoses(positions, plant)).toEqual({ count: 2, maxMetres: 1000 });
});

it('proposes the CRS only if most positions are far in the site frame, but not when converted from the CRS', () => {
  const inCrs: readonly Point3[] = [
    [east + 10, north + 10, 12],
    [east + 50, north + 20, 12],
    [0, 0, 12],
  ];
  for (const site of [emptySite, plant]) {
    expect(proposeCrs(inCrs, frame, site)?.count).toBe(2);
    expect(proposeCrs([[10, 10, 12]], frame, site)).toBeUndefined();
    // Far by both readings.
    expect(proposeCrs([[2 * east, north, 12]], frame, site)).toBeUndefined();
    expect(proposeCrs([], frame, site)).toBeUndefined();
  }
});
