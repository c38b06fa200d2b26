import { describe, expect, it } from 'vitest';
import type { Point3 } from '#core';
import { proposeWays } from './propose-links.ts';

const buildNodes = (count: number, toPosition: (index: number) => Point3) =>
  Array.from({ length: count }, (_, index) => ({ uid: String(index), deck: 'd', position: toPosition(index) }));

describe('proposeWays', () => {
  it('links 2,000 nodes at the same place to the first one, and that to the next place', () => {
    const nodes = buildNodes(2000, () => [6_600_000, 500_000, 10]);
    const neighbour = { uid: 'neighbour', deck: 'd', position: [6_600_004, 500_000, 10] as const };
    const ways = proposeWays([...nodes, neighbour], 5);
    expect(ways).toHaveLength(2000);
    expect(ways).toContainEqual(['0', '1999']);
    expect(ways).toContainEqual(['0', 'neighbour']);
  });

  it('links 2,000 nodes in a line to their neighbours alone', () => {
    const ways = proposeWays(
      buildNodes(2000, (index) => [index * 0.01, 0, 0]),
      100,
    );
    expect(ways).toEqual(Array.from({ length: 1999 }, (_, index) => [String(index), String(index + 1)]));
  });
});
