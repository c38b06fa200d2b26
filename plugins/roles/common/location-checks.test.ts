import { expect, it } from 'vitest';
import type { LocationNode } from '#core';
import { computeChecks, removeIncluded, toggleLocation } from './location-checks.ts';

const buildNode = (uid: string, children: readonly LocationNode[] = []): LocationNode => ({
  uid,
  name: uid,
  label: '',
  parent: null,
  root: uid,
  locationType: 'LOC_GROUP',
  children,
});
const roots = [
  buildNode('K', [buildNode('K1', [buildNode('K1a'), buildNode('K1b')]), buildNode('K2')]),
  buildNode('M'),
];
const format = (chosenUids: readonly string[]): string =>
  [...computeChecks(roots, new Set(chosenUids))]
    .map(([uid, state]) => `${uid}${{ checked: '+', mixed: '~', unchecked: '-' }[state]}`)
    .join(' ');
const toggle = (chosenUids: readonly string[], uid: string) =>
  [...toggleLocation(roots, new Set(chosenUids), uid)].toSorted();

it('[ADM-03] includes the descendants of a chosen location, and marks its ancestors as mixed', () => {
  expect(format(['K1'])).toBe('K1a+ K1b+ K1+ K2- K~ M-');
  expect(format(['K'])).toBe('K1a+ K1b+ K1+ K2+ K+ M-');
  expect(format([])).toBe('K1a- K1b- K1- K2- K- M-');
});

it('replaces chosen descendants by the checked location', () => {
  expect(toggle(['K1a', 'M'], 'K1')).toEqual(['K1', 'M']);
  expect(toggle(['K1'], 'K')).toEqual(['K']);
});

it('unchecks a location below a chosen one, and keeps its siblings checked', () => {
  expect(toggle(['K'], 'K1a')).toEqual(['K1b', 'K2']);
  expect(toggle(['K'], 'K')).toEqual([]);
  expect(toggle(['K1', 'elsewhere'], 'K1')).toEqual(['elsewhere']);
});

it('removes locations that another chosen location includes', () => {
  expect(removeIncluded(roots, new Set(['K', 'K1a', 'M', 'elsewhere']))).toEqual(['K', 'M', 'elsewhere']);
});
