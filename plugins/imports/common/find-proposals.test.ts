import { expect, it } from 'vitest';
import { findProposals, findWordProposals } from './find-proposals.ts';

it('proposes misspelt values, and among many values none with other digits', () => {
  const viewpoints = ['VP-1', 'VP-2', 'VP-3', 'VP-9A', 'Start'];
  expect(findProposals('VP-9', viewpoints)).toEqual(['VP-9A']);
  expect(findProposals('vp 2', viewpoints)).toEqual(['VP-2']);
  expect(findProposals('Strat', viewpoints)).toEqual(['Start']);
  expect(findProposals('MD-7', ['MD-1'])).toEqual(['MD-1']);
});

it('proposes a listed word that is misspelt, and never another word', () => {
  const types = ['HOT_WORK', 'Hot Work', 'Confined Space Entry', 'Active', 'Inactive', 'In', 'Level 1'];
  const find = (text: string) => findWordProposals(text, types);
  expect(['Cold Work', 'Inactiv Work', 'On', 'Level 2', 'Attive Work'].map(find)).toEqual([[], [], [], [], []]);
  expect(['Hot Wrok', 'HotWork', 'Confind Space Enrty', 'Actve'].map((text) => find(text).at(-1))).toEqual([
    'Hot Work',
    'Hot Work',
    'Confined Space Entry',
    'Active',
  ]);
  // Listed words, which are refused for another reason, get no proposals.
  expect(['Active', 'ínactive', 'hot-work'].map(find)).toEqual([[], [], []]);
});
