import { useCallback, useSyncExternalStore } from 'react';

/** Returns true if a media query matches. Renders again when the result changes. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (onStoreChange: () => void) => {
      const queryList = matchMedia(query);
      queryList.addEventListener('change', onStoreChange);
      return () => queryList.removeEventListener('change', onStoreChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
