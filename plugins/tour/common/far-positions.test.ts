import { describe, expect, it } from 'vitest';
import type { Point3 } from '#core';
import { createFarFinder, listSiteExtents, type PlacedDeck } from './far-positions.ts';

const deck: PlacedDeck = {
  uid: 'deck',
  elevation: 10,
  plan: { width: 60, height: 80, placement: { centre: [20, 20], scale: 0.2 } },
  walls: [
    {
      points: [
        [0, 0],
        [19, 10],
      ],
    },
  ],
};
const bareDeck: PlacedDeck = { uid: 'bare', elevation: 20, plan: null, walls: [] };
const at = (position: Point3, deckUid: string | null = null) => ({ deck: deckUid, position });

describe('createFarFinder', () => {
  it('finds positions farther from a deck than the size of the site and 500 m', () => {
    const find = createFarFinder(listSiteExtents([deck], []));
    const positions: readonly Point3[] = [
      [20, 20, 11],
      [530, 20, 10],
      [531, 20, 10],
      [20, -501, 10],
      [20, 20, 511],
    ];
    expect(positions.map(find)).toEqual([undefined, undefined, 501, 501, 501]);
  });

  it('uses viewpoints if nothing is drawn, with or without a deck', () => {
    expect(listSiteExtents([bareDeck], [at([5, 6, 21.6], 'bare'), at([100, 0, 3]), at([120, 10, 4])])).toEqual([
      { west: 5, east: 5, south: 6, north: 6, lowest: 20, highest: 20 },
      { west: 100, east: 120, south: 0, north: 10, lowest: 3, highest: 4 },
    ]);
    const find = createFarFinder(listSiteExtents([], [at([0, 0, 0]), at([2000, 0, 0])]));
    expect([find([3999, 0, 0]), find([4001, 0, 0])]).toEqual([undefined, 2001]);
  });

  it('ignores viewpoints that are far from all plans', () => {
    const find = createFarFinder(listSiteExtents([deck], [at([910_000, 4_180_000, 11], 'deck')]));
    expect(Math.round(find([910_000, 4_180_000, 11]) ?? 0)).toBeGreaterThan(4_000_000);
  });

  it('ignores viewpoints far from the origin of a site without plans, unless all are', () => {
    const misplaced: Point3 = [910_000, 4_180_000, 11];
    const find = createFarFinder(listSiteExtents([bareDeck], [at([5, 6, 21], 'bare'), at(misplaced, 'bare')]));
    expect(find(misplaced)).toBeGreaterThan(4_000_000);
    expect(createFarFinder(listSiteExtents([bareDeck], [at(misplaced, 'bare')]))(misplaced)).toBeUndefined();
  });

  it('finds positions beyond 100 km of the origin at a site without plans and viewpoints', () => {
    const find = createFarFinder(listSiteExtents([bareDeck], []));
    expect([find([60_000, 70_000, 0]), find([100_001, 0, 0])]).toEqual([undefined, 100_001]);
  });
});
