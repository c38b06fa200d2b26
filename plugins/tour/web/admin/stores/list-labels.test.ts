import { expect, it } from 'vitest';
import { listLabelledUids } from './list-labels.ts';

const nodes = [
  { uid: 'a', code: 'HB-P03' },
  { uid: 'b', code: 'HB-P04' },
  { uid: 'c', code: 'HB-P05' },
];
const points = new Map([
  ['a', { x: 0, y: 0 }],
  ['b', { x: 3, y: 0.5 }],
  ['c', { x: 3, y: 2 }],
]);

it('shows codes that do not cover each other, codes of selected viewpoints first', () => {
  // With 0.1 units per pixel, a and b are 30 pixels apart in one line, and c is 15 pixels below b.
  expect([...listLabelledUids(nodes, points, new Set(), 0.1)]).toEqual(['a', 'c']);
  expect([...listLabelledUids(nodes, points, new Set(['b']), 0.1)]).toEqual(['b']);
  expect([...listLabelledUids(nodes, points, new Set(), 0.01)]).toEqual(['a', 'b', 'c']);
});

it('omits most codes of 20,000 viewpoints', () => {
  const nodesInGrid = Array.from({ length: 20_000 }, (_, index) => ({ uid: String(index), code: `N${index}` }));
  const grid = new Map(
    nodesInGrid.map(({ uid }, index) => [uid, { x: (index % 200) * 10, y: Math.floor(index / 200) * 10 }]),
  );
  const labelledUids = listLabelledUids(nodesInGrid, grid, new Set(), 1);
  expect(labelledUids.size).toBeGreaterThan(1000);
  expect(labelledUids.size).toBeLessThan(10_000);
});
