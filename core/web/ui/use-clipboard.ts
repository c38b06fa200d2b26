import { useCallback, useEffect, useState } from 'react';

/** Time after which the outcome is cleared. */
const outcomeMs = 3_000;

export interface Clipboard {
  /** Whether the page may write to the clipboard. An insecure page may not. */
  readonly available: boolean;
  /** Outcome of the last copy, for three seconds. */
  readonly outcome: 'copied' | 'failed' | undefined;
  /** Copies a text. With `quiet`, a failure is not reported, because the person did not request the copy. */
  copy(text: string, options?: { readonly quiet: boolean }): void;
}

export function useClipboard(): Clipboard {
  const [outcome, setOutcome] = useState<Clipboard['outcome']>();
  useEffect(() => {
    if (!outcome) return undefined;
    const timer = setTimeout(() => setOutcome(undefined), outcomeMs);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = useCallback<Clipboard['copy']>((text, { quiet } = { quiet: false }) => {
    navigator.clipboard?.writeText(text).then(
      () => setOutcome('copied'),
      () => setOutcome(quiet ? undefined : 'failed'),
    );
  }, []);
  return { available: Boolean(navigator.clipboard), outcome, copy };
}
