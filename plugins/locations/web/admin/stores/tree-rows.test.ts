import { expect, it } from 'vitest';
import type { LocationNode } from '#core';
import { findTreeMatches } from './tree-rows.ts';

const buildNode = (uid: string, name: string, children: readonly LocationNode[] = []): LocationNode => ({
  uid,
  name,
  label: '',
  parent: null,
  root: 'HB',
  locationType: 'LOC_GROUP',
  children,
});
const roots = [
  buildNode('HB', 'Heron Bay', [
    buildNode('HB-M10', 'Module de décharge', [buildNode('HB-M10-CD', 'Cellar deck')]),
    buildNode('HB-M20', 'Module M20'),
  ]),
];
const find = (text: string) => [...(findTreeMatches(roots, text)?.matching ?? [])];

it.each([
  ['decharge module', ['HB-M10']],
  ['M10 DÉCHARGE', ['HB-M10']],
  ['  deck   hb-m10 ', ['HB-M10-CD']],
  ['module', ['HB-M10', 'HB-M20']],
  ['module deck', []],
])('finds locations by the words of “%s”', (text, uids) => {
  expect(find(text)).toEqual(uids);
});

it('finds locations with their ancestors, and returns undefined for an empty query', () => {
  expect([...findTreeMatches(roots, 'cellar')!.visible]).toEqual(['HB-M10-CD', 'HB-M10', 'HB']);
  expect(findTreeMatches(roots, '  ')).toBeUndefined();
});
