import { useCallback, useRef, useState } from 'react';

export interface FormVersion {
  /** React key of the form. */
  readonly key: number;
  /** Returns whether the form has unsaved input. */
  readonly setChanged: (changed: boolean) => void;
  /** Mounts the form with the current record, after it was saved. */
  readonly renew: () => void;
  /** The same, unless unsaved input would be lost, such as after an undo. */
  readonly renewUnchanged: () => void;
}

/** Remounts a form when its record has changed, without losing input. */
export function useFormVersion(): FormVersion {
  const [key, setKey] = useState(0);
  const changed = useRef(false);
  const setChanged = useCallback((next: boolean) => {
    changed.current = next;
  }, []);
  const renew = useCallback(() => {
    changed.current = false;
    setKey((previous) => previous + 1);
  }, []);
  const renewUnchanged = useCallback(() => {
    if (!changed.current) setKey((previous) => previous + 1);
  }, []);
  return { key, setChanged, renew, renewUnchanged };
}
