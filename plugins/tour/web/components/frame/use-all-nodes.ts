import { useEffect, useState } from 'react';
import { useService } from '#core/web';
import { TourStore } from '#plugins/tour';

const retryMs = 5_000;

/** Loads the remaining nodes of a large tour as soon as its first picture is on screen. Retries after a failure. */
export function useAllNodes(isPictureShown: boolean): void {
  const store = useService(TourStore);
  const isComplete = store.opened?.complete ?? true;
  const [failures, setFailures] = useState(0);
  useEffect(() => {
    if (!isPictureShown || isComplete) return undefined;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    store.loadAllNodes().catch(() => {
      if (!abort.signal.aborted) timer = setTimeout(() => setFailures(failures + 1), retryMs);
    });
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [store, isPictureShown, isComplete, failures]);
}
