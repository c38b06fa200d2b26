import { expect, it } from 'vitest';
import type { Corner } from '../../../contract/index.ts';
import { maxCorners } from '../../../contract/picture-kinds.ts';
import { AreasDraft } from './areas-draft.ts';

const buildDraft = (polygon: Corner[]) => {
  const draft = new AreasDraft({
    location: 'HB',
    icon: null,
    navigationImage: null,
    areas: [{ location: 'HB-M10', polygon }],
    version: 1,
  });
  draft.edit('HB-M10');
  return { draft, listCorners: () => draft.areas[0]!.polygon };
};

it('adds corners up to the maximum, and removes corners down to three', () => {
  const { draft, listCorners } = buildDraft([
    [0, 0],
    [1, 0],
    [0, 1],
  ]);
  expect(draft.insertCorner(3, [0, 0.123456])).toBe(true);
  expect(listCorners()).toEqual([
    [0, 0],
    [1, 0],
    [0, 1],
    [0, 0.1235],
  ]);
  while (draft.insertCorner(1, [0.5, 0.5]));
  expect(listCorners()).toHaveLength(maxCorners);
  for (let count = 0; count < maxCorners; count += 1) draft.deleteCorner(0);
  expect(listCorners()).toHaveLength(3);
});
