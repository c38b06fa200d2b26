import { useEffect, useRef, type RefObject } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { LocationNode } from '#core';
import { Locations, Navigation, UnsavedWork, useService } from '#core/web';

export interface LocationSelection {
  readonly selected: LocationNode | undefined;
  /** Whether the URL names a location that is not in the list. */
  readonly isGone: boolean;
  /** The search text. */
  readonly query: string;
  /** Whether the URL opens the dialog for a new site. */
  readonly isAddingSite: boolean;
  /** The heading of the selected location. */
  readonly heading: RefObject<HTMLHeadingElement | null>;
  setQuery(query: string): void;
  setAddingSite(adding: boolean): void;
  /** Asks before unsaved work is lost. */
  select(uid: string | undefined): Promise<void>;
  /** For use after a dialog: the button that opened it may be gone, so the heading receives the focus. */
  clearSearchAndSelect(uid: string | undefined): Promise<void>;
}

/**
 * The selected location and the search text. The URL contains both. Must be called in an observer.
 *
 * @param stackedQuery media query of a screen on which details replace the tree
 * @param isDialogOpen while true, the focus stays where it is
 */
export function useLocationSelection(stackedQuery: string, isDialogOpen: boolean): LocationSelection {
  const locations = useService(Locations);
  const navigation = useService(Navigation);
  const unsavedWork = useService(UnsavedWork);
  const [searchParams, setSearchParams] = useSearchParams();
  const heading = useRef<HTMLHeadingElement>(null);
  const focusPending = useRef(false);
  const selected = locations.find(searchParams.get('location') ?? '');
  const isAddingSite = searchParams.get('add') === 'site';
  useEffect(() => {
    if (!focusPending.current || isDialogOpen || isAddingSite) return;
    focusPending.current = false;
    heading.current?.focus();
  }, [selected, isDialogOpen, isAddingSite]);

  const setParams = (params: Readonly<Record<string, string | undefined>>, replace = true): void => {
    // Closing a dialog changes the URL twice before the next render, so `searchParams` may be outdated.
    const nextParams = new URLSearchParams(navigation.url.split('?')[1]);
    for (const [name, value] of Object.entries(params)) {
      if (value === undefined || value === '') nextParams.delete(name);
      else nextParams.set(name, value);
    }
    setSearchParams(nextParams, { replace });
  };
  // The first selection pushes a history entry, so that the browser's back button leads back to the tree on a phone.
  const select = async (uid: string | undefined, movesFocus: boolean): Promise<void> => {
    if (uid === selected?.uid || !(await unsavedWork.confirmLeave())) return;
    focusPending.current = movesFocus && uid !== undefined;
    setParams({ location: uid }, selected !== undefined);
  };
  return {
    selected,
    isGone: !selected && searchParams.has('location') && locations.roots.length > 0,
    query: searchParams.get('search') ?? '',
    isAddingSite,
    heading,
    setQuery: (query) => setParams({ search: query }),
    setAddingSite: (adding) => setParams({ add: adding ? 'site' : undefined }),
    select: (uid) => select(uid, matchMedia(stackedQuery).matches),
    clearSearchAndSelect: async (uid) => {
      setParams({ search: undefined });
      await select(uid, true);
    },
  };
}
