import { useEffect, useRef } from 'react';

/** Loads a list again when the version of what it lists changes. The previous rows stay until it is loaded. */
export function useReloadOnChange(list: { load(): void }, version: number): void {
  const lastLoad = useRef({ list, version });
  useEffect(() => {
    const isSame = lastLoad.current.list !== list || lastLoad.current.version === version;
    lastLoad.current = { list, version };
    if (!isSame) list.load();
  }, [list, version]);
}
