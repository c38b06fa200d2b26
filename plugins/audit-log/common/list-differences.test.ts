import { expect, it } from 'vitest';
import { listDifferences } from './list-differences.ts';

it('lists the changed columns of rows with their table and key', () => {
  expect(
    listDifferences({
      change: 'c1',
      rows: [
        { table: 'deck', key: { uid: 'd1' }, before: { name: 'Main' }, after: { name: 'Upper' } },
        { table: 'link', key: { from_node: 'a', to_node: 'b' }, before: null, after: { kind: 'WALK' } },
      ],
    }),
  ).toEqual([
    { subject: 'deck d1', field: 'name', before: 'Main', after: 'Upper' },
    { subject: 'link a b', field: 'kind', before: undefined, after: 'WALK' },
  ]);
});

it('lists the differences between whole objects', () => {
  expect(
    listDifferences({
      change: 'c1',
      before: [
        { uid: 'K', name: 'Kestrel', site: { timeZone: 'Europe/Oslo' } },
        { uid: 'L', name: 'Lark' },
      ],
      after: [{ uid: 'K', name: 'Kestrel A', site: { timeZone: 'Europe/Oslo' } }],
    }),
  ).toEqual([
    { subject: 'K', field: 'name', before: 'Kestrel', after: 'Kestrel A' },
    { subject: 'L', field: 'uid', before: 'L', after: undefined },
    { subject: 'L', field: 'name', before: 'Lark', after: undefined },
  ]);
});

it('lists other details one by one, and shows several rows as one number', () => {
  expect(listDifferences({ reason: 'codeWrong', change: 'c1', rows: 3300 })).toEqual([
    { subject: '', field: 'reason', before: undefined, after: 'codeWrong' },
    { subject: '', field: 'rows', before: undefined, after: 3300 },
  ]);
});
