import type { ContentNode, TourContent } from '../../../contract/api/tour-content.ts';
import type { TourPlace } from './content-mutations.ts';

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

/**
 * The tours at a location and below it, and those above it that have viewpoints here. Requests name all of them by the
 * chosen location: the caller may have no access to that of a tour above.
 */
export function listTourChoices({ tours, nodes }: TourContent, location: string): readonly TourPlace[] {
  const uids = new Set([...tours.map(({ uid }) => uid), ...nodes.map(({ tour }) => tour)]);
  return [...uids].map((uid) => ({ uid, location }));
}

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
