import { useEffect, useRef } from 'react';

/** Reloads a list when the version of its data changes. The previous rows stay until the new ones are loaded. */
export function useReloadOnChange(list: { load(): void }, version: number): void {
  const lastLoad = useRef({ list, version });
  useEffect(() => {
    // A new list loads itself.
    const isUpToDate = lastLoad.current.list !== list || lastLoad.current.version === version;
    lastLoad.current = { list, version };
    if (!isUpToDate) list.load();
  }, [list, version]);
}
