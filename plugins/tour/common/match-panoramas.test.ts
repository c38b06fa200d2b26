import { describe, expect, it } from 'vitest';
import { matchPanoramas, type MatchedFile, type MatchedNode } from './match-panoramas.ts';

const buildNode = (code: string, changes: Partial<MatchedNode> = {}): MatchedNode => ({
  uid: `node-${code}`,
  code,
  eastNorth: [1000, 1000],
  ...changes,
});
const match = (files: readonly MatchedFile[], nodes: readonly MatchedNode[]) =>
  matchPanoramas(files, nodes).map((panoramaMatch) => panoramaMatch && [panoramaMatch.nodeUid, panoramaMatch.reason]);

describe('matchPanoramas', () => {
  it('matches by name first, in any case and with other separators', () => {
    const nodes = [buildNode('N1', { posedAt: 0 }), buildNode('pano-0012', { posedAt: 5000 })];
    expect(
      match([{ name: 'n1.JPG', capturedAt: 5000 }, { name: 'pano_0012.jpg' }, { name: 'IMG_1.jpg' }], nodes),
    ).toEqual([['node-N1', 'NAME'], ['node-pano-0012', 'NAME'], undefined]);
  });

  it('matches by time if exactly one file and one unassigned node are within two seconds of each other', () => {
    const nodes = [
      buildNode('A', { posedAt: 10_000 }),
      buildNode('B', { posedAt: 20_000 }),
      buildNode('C', { posedAt: 30_000 }),
      buildNode('D', { posedAt: 31_000 }),
    ];
    const files = [
      { name: '1.jpg', capturedAt: 11_900 },
      { name: '2.jpg', capturedAt: 19_000 },
      { name: '3.jpg', capturedAt: 21_500 },
      { name: '4.jpg', capturedAt: 30_400 },
      { name: '5.jpg', capturedAt: 40_000 },
    ];
    // Two files are near B, and 4.jpg is near two poses.
    expect(match(files, nodes)).toEqual([['node-A', 'TIME'], undefined, undefined, undefined, undefined]);
  });

  it('matches by position if exactly one unassigned node is within five metres', () => {
    const nodes = [
      buildNode('A', { eastNorth: [0, 0] }),
      buildNode('B', { eastNorth: [20, 0] }),
      buildNode('above-B', { eastNorth: [20.5, 0] }),
    ];
    const files: MatchedFile[] = [
      { name: '1.jpg', eastNorth: [3, 3.9] },
      { name: '2.jpg', eastNorth: [21, 0] },
      { name: '3.jpg', eastNorth: [10, 0] },
    ];
    expect(match(files, nodes)).toEqual([['node-A', 'PLACE'], undefined, undefined]);
  });

  it('matches 2,000 files to 2,000 nodes', () => {
    const nodes = Array.from({ length: 2000 }, (_, index) => buildNode(`P${index}`, { posedAt: index * 10_000 }));
    const files = nodes
      .map((_, index) => ({ name: `IMG_${index}.jpg`, capturedAt: index * 10_000 + 900 }))
      .toReversed();
    const matches = matchPanoramas(files, nodes);
    expect([matches.length, matches[0]?.nodeUid, matches.at(-1)?.nodeUid]).toEqual([2000, 'node-P1999', 'node-P0']);
  });
});
