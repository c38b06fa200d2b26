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

const noUids: ReadonlySet<string> = new Set();

/**
 * The visible rows of a tree. Selecting a location expands its ancestors. A search shows its results with their
 * ancestors expanded. After the search, the tree is as before.
 */
export function useTreeState(
  roots: readonly LocationNode[],
  query: string,
  selectedUid: string | undefined,
): TreeState {
  const locations = useService(Locations);
  const matches = useMemo(() => findTreeMatches(roots, query), [roots, query]);
  const [openUids, setOpenUids] = useState<ReadonlySet<string>>(
    () => new Set(roots.length === 1 ? [roots[0]?.uid ?? ''] : []),
  );
  const [closedInSearch, setClosedInSearch] = useState(noUids);
  const [previousSelectedUid, setPreviousSelectedUid] = useState<string>();
  const [previousQuery, setPreviousQuery] = useState(query);
  if (selectedUid !== previousSelectedUid) {
    setPreviousSelectedUid(selectedUid);
    const ancestors = locations.pathTo(selectedUid ?? '').slice(0, -1);
    setOpenUids(new Set([...openUids, ...ancestors.map(({ uid }) => uid)]));
  }
  if (query !== previousQuery) {
    setPreviousQuery(query);
    setClosedInSearch(noUids);
  }
  const rows = useMemo(
    () => listTreeRows(roots, (uid) => (matches ? !closedInSearch.has(uid) : openUids.has(uid)), matches),
    [roots, matches, closedInSearch, openUids],
  );
  return {
    rows,
    matchCount: matches?.matching.size,
    setOpen: (uids, open) => {
      const toggleUids = (previous: ReadonlySet<string>, added: boolean): ReadonlySet<string> =>
        new Set(added ? [...previous, ...uids] : [...previous].filter((uid) => !uids.includes(uid)));
      if (matches) setClosedInSearch((previous) => toggleUids(previous, !open));
      else setOpenUids((previous) => toggleUids(previous, open));
    },
  };
}
