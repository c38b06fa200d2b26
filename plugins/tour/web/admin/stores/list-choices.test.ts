import { expect, it } from 'vitest';
import type { ContentDeck, ContentNode, TourContent } from '../../../contract/api/tour-content.ts';
import { listDeckChoices, listNodesOn, listTourChoices, noDeck } from './list-choices.ts';

const buildDeck = (uid: string, elevation: number) => ({ uid, elevation }) as ContentDeck;
const buildNode = (uid: string, deck: string | null, tour = 't1') => ({ uid, deck, tour }) as ContentNode;
const content: TourContent = {
  decks: [buildDeck('high', 20), buildDeck('low', 10)],
  tours: [{ uid: 't1', code: 'T1', name: 'Tour', location: 'unit', startNode: null, version: 1 }],
  nodes: [buildNode('a', 'low'), buildNode('b', null), buildNode('c', 'elsewhere'), buildNode('d', 'low', 't2')],
  links: [],
  alignments: [],
  hasSurfaces: true,
};

it('lists decks lowest first, and a choice for viewpoints without a deck', () => {
  expect(listDeckChoices(content)).toEqual(['low', 'high', noDeck]);
  expect(listDeckChoices({ ...content, nodes: [buildNode('a', 'low')] })).toEqual(['low', 'high']);
});

it('lists tours with the chosen location, including the tour of an ancestor with viewpoints at the location', () => {
  expect(listTourChoices(content, 'level')).toEqual([
    { uid: 't1', location: 'level' },
    { uid: 't2', location: 'level' },
  ]);
});

it('lists the viewpoints of one deck and tour', () => {
  const list = (deck: string | undefined, tour: string) => listNodesOn(content, deck, tour).map(({ uid }) => uid);
  expect([list('low', 't1'), list('low', 't2'), list(undefined, 't1')]).toEqual([['a'], ['d'], ['b', 'c']]);
});
