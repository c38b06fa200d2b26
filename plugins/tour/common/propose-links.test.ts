import { describe, expect, it } from 'vitest';
import type { Point3 } from '#core';
import { proposeLinkPairs } from './propose-links.ts';

const buildNodes = (count: number, toPosition: (index: number) => Point3) =>
  Array.from({ length: count }, (_, index) => ({ uid: String(index), deck: 'd', position: toPosition(index) }));

describe('proposeLinkPairs', () => {
  it('links 2,000 nodes at one position to the first of them, and the first to the next position', () => {
    const nodes = buildNodes(2000, () => [6_600_000, 500_000, 10]);
    const neighbour = { uid: 'neighbour', deck: 'd', position: [6_600_004, 500_000, 10] as const };
    const pairs = proposeLinkPairs([...nodes, neighbour], 5);
    expect(pairs).toHaveLength(2000);
    expect(pairs).toContainEqual(['0', '1999']);
    expect(pairs).toContainEqual(['0', 'neighbour']);
  });

  it('links 2,000 nodes in a line only to their neighbours', () => {
    const pairs = proposeLinkPairs(
      buildNodes(2000, (index) => [index * 0.01, 0, 0]),
      100,
    );
    expect(pairs).toEqual(Array.from({ length: 1999 }, (_, index) => [String(index), String(index + 1)]));
  });
});
