import { useMemo, useState } from 'react';
import type { LocationNode } from '#core';
import { Locations, useService } from '#core/web';
import { findTreeMatches, listTreeRows, type TreeRow } from './tree-rows.ts';

export interface TreeState {
  readonly rows: readonly TreeRow[];
  /** Number of locations that the search has found. Undefined without a search. */
  readonly matchCount: number | undefined;
  setOpen(uids: readonly string[], open: boolean): void;
}

const none: ReadonlySet<string> = new Set();

/**
 * The visible rows of a tree. The ancestors of the selected location are opened when it is selected. A search shows
 * its results with their ancestors opened, and leaves the tree as it was.
 */
export function useTreeState(
  roots: readonly LocationNode[],
  query: string,
  selectedUid: string | undefined,
): TreeState {
  const locations = useService(Locations);
  const matches = useMemo(() => findTreeMatches(roots, query), [roots, query]);
  const [opened, setOpened] = useState<ReadonlySet<string>>(
    () => new Set(roots.length === 1 ? [roots[0]?.uid ?? ''] : []),
  );
  const [closedInSearch, setClosedInSearch] = useState(none);
  const [shown, setShown] = useState<string>();
  const [searched, setSearched] = useState(query);
  if (selectedUid !== shown) {
    setShown(selectedUid);
    const ancestors = locations.pathTo(selectedUid ?? '').slice(0, -1);
    setOpened(new Set([...opened, ...ancestors.map(({ uid }) => uid)]));
  }
  if (query !== searched) {
    setSearched(query);
    setClosedInSearch(none);
  }
  const rows = useMemo(
    () => listTreeRows(roots, (uid) => (matches ? !closedInSearch.has(uid) : opened.has(uid)), matches),
    [roots, matches, closedInSearch, opened],
  );
  return {
    rows,
    matchCount: matches?.matching.size,
    setOpen: (uids, open) => {
      const change = (previous: ReadonlySet<string>, added: boolean): ReadonlySet<string> =>
        new Set(added ? [...previous, ...uids] : [...previous].filter((uid) => !uids.includes(uid)));
      if (matches) setClosedInSearch((previous) => change(previous, !open));
      else setOpened((previous) => change(previous, open));
    },
  };
}
