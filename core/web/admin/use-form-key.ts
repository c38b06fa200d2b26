import { useCallback, useRef, useState } from 'react';

export interface FormKey {
  /** React key of the form. */
  readonly key: number;
  /** Must be called when the form gets or loses unsaved input. */
  readonly setChanged: (changed: boolean) => void;
  /** Remounts the form with the current record. Call it after a save. */
  readonly remount: () => void;
  /** Like `remount`, but keeps a form with unsaved input. Call it after changes from elsewhere, such as an undo. */
  readonly remountIfUnchanged: () => void;
}

/** Provides a React key that remounts a form when its record has changed, without losing input. */
export function useFormKey(): FormKey {
  const [key, setKey] = useState(0);
  const changed = useRef(false);
  const setChanged = useCallback((hasUnsavedInput: boolean) => {
    changed.current = hasUnsavedInput;
  }, []);
  const remount = useCallback(() => {
    changed.current = false;
    setKey((previous) => previous + 1);
  }, []);
  const remountIfUnchanged = useCallback(() => {
    if (!changed.current) setKey((previous) => previous + 1);
  }, []);
  return { key, setChanged, remount, remountIfUnchanged };
}
