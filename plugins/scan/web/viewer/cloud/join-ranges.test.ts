import { describe, expect, it } from 'vitest';
import type { CloudNode } from './cloud-node.ts';
import { joinRanges } from './join-ranges.ts';

const buildNode = (key: string, offset: number, bytes: number, { url = 'a', count = 100 } = {}): CloudNode => ({
  key,
  box: { minimum: [0, 0, 0], maximum: [1, 1, 1] },
  cube: { minimum: [0, 0, 0], edge: 1 },
  count,
  spacing: 1,
  source: {
    kind: 'COPC',
    url,
    offset,
    bytes,
    count,
    format: 7,
    pointLength: 36,
    scale: [1, 1, 1],
    shift: [0, 0, 0],
    box: { minimum: [0, 0, 0], maximum: [1, 1, 1] },
  },
  children: [],
  tile: undefined,
  requestedAt: 0,
});
const formatKeys = (nodes: readonly CloudNode[]) => nodes.map(({ key }) => key).join(' ');

describe('joinRanges', () => {
  it('joins adjacent nodes on both sides of a node', () => {
    const [a, b, c, d] = [
      buildNode('a', 0, 100),
      buildNode('b', 100, 50),
      buildNode('c', 150, 70),
      buildNode('d', 220, 10),
    ];
    expect(formatKeys(joinRanges(c, [d, b, a, c]))).toBe('c a b d');
  });

  it('joins nodes over a short gap but not over a long one', () => {
    const [a, b, c] = [buildNode('a', 0, 100), buildNode('b', 400, 100), buildNode('c', 5000, 100)];
    expect(formatKeys(joinRanges(a, [b, c]))).toBe('a b');
    expect(formatKeys(joinRanges(c, [a, b]))).toBe('c');
  });

  it('limits the size of a request', () => {
    const large = Array.from({ length: 10 }, (_, index) => buildNode(`n${index}`, index * 60_000, 60_000));
    expect(formatKeys(joinRanges(large[0]!, large))).toBe('n0 n1 n2 n3');
    const manyNodes = Array.from({ length: 10 }, (_, index) =>
      buildNode(`n${index}`, index * 100, 100, { count: 30_000 }),
    );
    expect(formatKeys(joinRanges(manyNodes[9]!, manyNodes))).toBe('n9 n8');
    expect(formatKeys(joinRanges(buildNode('huge', 0, 9_000_000, { count: 900_000 }), manyNodes))).toBe('huge');
  });

  it('does not join ranges of different files', () => {
    const tile: CloudNode = { ...buildNode('t', 0, 0), source: { kind: 'TILE', url: 't' } };
    expect(formatKeys(joinRanges(tile, [buildNode('a', 0, 10)]))).toBe('t');
    expect(formatKeys(joinRanges(buildNode('a', 0, 10), [tile, buildNode('b', 10, 10, { url: 'b' })]))).toBe('a');
  });
});
