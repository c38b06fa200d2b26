import { describe, expect, it } from 'vitest';
import type { CloudNode } from './cloud-node.ts';
import { joinedRanges } from './joined-ranges.ts';

const node = (key: string, offset: number, bytes: number, { url = 'a', count = 100 } = {}): CloudNode => ({
  key,
  box: { minimum: [0, 0, 0], maximum: [1, 1, 1] },
  count,
  spacing: 1,
  address: {
    kind: 'COPC',
    url,
    offset,
    bytes,
    count,
    format: 7,
    length: 36,
    scale: [1, 1, 1],
    shift: [0, 0, 0],
    box: { minimum: [0, 0, 0], maximum: [1, 1, 1] },
  },
  children: [],
  tile: undefined,
  requestedAt: 0,
});
const keys = (nodes: readonly CloudNode[]) => nodes.map(({ key }) => key).join(' ');

describe('joinedRanges', () => {
  it('joins adjacent nodes on both sides, the requested one first', () => {
    const [a, b, c, d] = [node('a', 0, 100), node('b', 100, 50), node('c', 150, 70), node('d', 220, 10)];
    expect(keys(joinedRanges(c, [d, b, a, c]))).toBe('c a b d');
  });

  it('stops at data that is not requested, and bridges gaps that are shorter than a request', () => {
    const [a, b, c] = [node('a', 0, 100), node('b', 400, 100), node('c', 5000, 100)];
    expect(keys(joinedRanges(a, [b, c]))).toBe('a b');
    expect(keys(joinedRanges(c, [a, b]))).toBe('c');
  });

  it('limits the size of a request', () => {
    const large = Array.from({ length: 10 }, (_, index) => node(`n${index}`, index * 60_000, 60_000));
    expect(keys(joinedRanges(large[0]!, large))).toBe('n0 n1 n2 n3');
    const many = Array.from({ length: 10 }, (_, index) => node(`n${index}`, index * 100, 100, { count: 30_000 }));
    expect(keys(joinedRanges(many[9]!, many))).toBe('n9 n8');
    expect(keys(joinedRanges(node('huge', 0, 9_000_000, { count: 900_000 }), many))).toBe('huge');
  });

  it('does not join ranges of different files', () => {
    const tile: CloudNode = { ...node('t', 0, 0), address: { kind: 'TILE', url: 't' } };
    expect(keys(joinedRanges(tile, [node('a', 0, 10)]))).toBe('t');
    expect(keys(joinedRanges(node('a', 0, 10), [tile, node('b', 10, 10, { url: 'b' })]))).toBe('a');
  });
});
