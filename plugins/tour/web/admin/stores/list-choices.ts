import type { ContentNode, TourContent } from '../../../contract/api/tour-content.ts';
import type { TourRef } from './content-mutations.ts';

/** The choice for viewpoints without a deck. */
export const noDeck = '';

const listUids = (records: readonly { readonly uid: string }[]): ReadonlySet<string> =>
  new Set(records.map(({ uid }) => uid));

/** Lists the uids of decks, lowest first, and `noDeck` if there are viewpoints without a deck. */
export function listDeckChoices({ decks, nodes }: TourContent): readonly string[] {
  const deckUids = listUids(decks);
  const lowestFirst = decks.toSorted((a, b) => a.elevation - b.elevation).map(({ uid }) => uid);
  return nodes.some(({ deck }) => deck === null || !deckUids.has(deck)) ? [...lowestFirst, noDeck] : lowestFirst;
}

/**
 * Lists the tours at a location and its descendants, and tours of ancestors with viewpoints at the location. All are
 * returned with this location, because the caller may have no access to an ancestor.
 */
export function listTourChoices({ tours, nodes }: TourContent, location: string): readonly TourRef[] {
  const uids = new Set([...tours.map(({ uid }) => uid), ...nodes.map(({ tour }) => tour)]);
  return [...uids].map((uid) => ({ uid, location }));
}

/** Lists the viewpoints of a tour on a deck, or without a deck. */
export function listNodesOn(
  { decks, nodes }: TourContent,
  deck: string | undefined,
  tour: string | undefined,
): readonly ContentNode[] {
  const deckUids = listUids(decks);
  return nodes.filter(
    (node) =>
      node.tour === tour && (deck === undefined ? node.deck === null || !deckUids.has(node.deck) : node.deck === deck),
  );
}
