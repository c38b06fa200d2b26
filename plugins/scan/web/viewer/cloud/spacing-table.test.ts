import { expect, it } from 'vitest';
import { toChildCube, type CloudNode, type Cube } from './cloud-node.ts';
import type { DecodedTile } from '../../../common/decode-tile.ts';
import { createSpacingTable, octants, type SpacingTable } from './spacing-table.ts';

const tile = {} as DecodedTile;

function buildNode(cube: Cube, spacing: number, children: readonly CloudNode[] = []): CloudNode {
  const { minimum, edge } = cube;
  const maximum = [minimum[0] + edge, minimum[1] + edge, minimum[2] + edge] as const;
  const source = { kind: 'TILE', url: '' } as const;
  return {
    key: '',
    box: { minimum, maximum },
    cube,
    count: 1,
    spacing,
    source,
    children,
    tile,
    requestedAt: 0,
  };
}
const readEntry = ({ values, rows }: SpacingTable, node: CloudNode, octant: number): readonly number[] => {
  const at = ((rows.get(node) ?? 0) * octants + octant) * 2;
  return [...values.subarray(at, at + 2)];
};

const cube: Cube = { minimum: [10, 20, 30], edge: 8 };
const eastUp = toChildCube(cube, 5);
const grandchild = buildNode(toChildCube(eastUp, 2), 0.25);
const child = buildNode(eastUp, 0.5, [grandchild]);
const loading = { ...buildNode(toChildCube(cube, 0), 0.5), tile: undefined };
const root = buildNode(cube, 1, [child, loading]);

it('has the spacing of drawn children by octant, and none where a child is still loading', () => {
  const table = createSpacingTable(root, () => true);
  expect(readEntry(table, root, 5)).toEqual([table.rows.get(child), 0.5]);
  expect(readEntry(table, child, 2)).toEqual([0, 0.25]);
  expect(readEntry(table, root, 0)).toEqual([0, 0]);
  expect(table.rows.has(grandchild)).toBe(false);
});

it('leaves out nodes that were not chosen for the frame', () => {
  const table = createSpacingTable(root, (node) => node !== grandchild);
  expect(readEntry(table, root, 5)).toEqual([0, 0.5]);
  expect(createSpacingTable(root, () => false).rows.size).toBe(0);
});

it('descends through nodes without points', () => {
  const empty = { ...child, source: undefined, tile: undefined };
  const table = createSpacingTable({ ...root, children: [empty] }, (node) => node !== empty);
  expect(table.rows.has(empty)).toBe(true);
  expect(readEntry(table, empty, 2)).toEqual([0, 0.25]);
});
