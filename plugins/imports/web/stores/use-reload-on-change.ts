import { useEffect, useRef } from 'react';

/** Loads a list again when the version of what it lists changes. The former rows stay until then. */
export function useReloadOnChange(list: { load(): void }, version: number): void {
  const loaded = useRef({ list, version });
  useEffect(() => {
    const isSame = loaded.current.list !== list || loaded.current.version === version;
    loaded.current = { list, version };
    if (!isSame) list.load();
  }, [list, version]);
}
