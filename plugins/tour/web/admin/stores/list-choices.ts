import type { ContentNode, TourContent } from '../../../contract/api/tour-content.ts';
import type { TourPlace } from './content-changes.ts';

/** The choice of the viewpoints that are on no deck. */
export const noDeck = '';

const listUids = (records: readonly { readonly uid: string }[]): ReadonlySet<string> =>
  new Set(records.map(({ uid }) => uid));

/** Uids of the decks, lowest first, and `noDeck` if there are viewpoints on none of them. */
export function listDeckChoices({ decks, nodes }: TourContent): readonly string[] {
  const known = listUids(decks);
  const lowestFirst = decks.toSorted((a, b) => a.elevation - b.elevation).map(({ uid }) => uid);
  return nodes.some(({ deck }) => deck === null || !known.has(deck)) ? [...lowestFirst, noDeck] : lowestFirst;
}

/** The tours that have viewpoints at a location or below it, as requests name them. A tour may be above the location. */
export const listTourChoices = ({ tours }: TourContent, location: string): readonly TourPlace[] =>
  tours.map(({ uid }) => ({ uid, location }));

/** The viewpoints of a tour on a deck, or on none. */
export function listNodesOn(
  { decks, nodes }: TourContent,
  deck: string | undefined,
  tour: string | undefined,
): readonly ContentNode[] {
  const known = listUids(decks);
  return nodes.filter(
    (node) =>
      node.tour === tour && (deck === undefined ? node.deck === null || !known.has(node.deck) : node.deck === deck),
  );
}
