import { useCallback, useRef, useState } from 'react';

export interface FormVersion {
  /** React key of the form. */
  readonly key: number;
  /** Must be called when the form gets or loses unsaved input. */
  readonly setChanged: (changed: boolean) => void;
  /** Remounts the form with the current record. Call it after a save. */
  readonly renew: () => void;
  /** Like `renew`, but keeps a form with unsaved input. Call it after changes from elsewhere, such as an undo. */
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
