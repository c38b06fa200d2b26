import { expect, it } from 'vitest';
import { findProposals, findWordProposals, isMisspelling } from './find-proposals.ts';

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

it('takes only typing errors for the same words', () => {
  const same = [
    ['Skift Vest', 'Skift Vesst'],
    ['skift_vest', 'Skift Vest'],
    ['Operatør', 'Operator'],
    ['Iperator', 'Operator'],
    ['Strat', 'Start'],
    ['HBx', 'HB'],
    ['Électricien', 'Electricein'],
  ] as const;
  const other = [
    ['Skift Vest', 'Skift Øst'],
    ['Skift A', 'Skift B'],
    ['VP-9', 'VP-9A'],
    ['P-101A', 'P-101B'],
    ['Phase I', 'Phase II'],
    ['Valve NO', 'Valve NC'],
    ['Lag Nord', 'Lag Sør'],
    ['Southeast', 'Southwest'],
    ['Interne', 'Externe'],
    ['Inactive', 'Active'],
    ['MD-7', 'MD-1'],
    ['Unit 12', 'Unit 13'],
    ['Day Shift', 'Shift'],
  ] as const;
  expect(same.filter(([text, otherText]) => !isMisspelling(text, otherText))).toEqual([]);
  expect(other.filter(([text, otherText]) => isMisspelling(text, otherText))).toEqual([]);
});
