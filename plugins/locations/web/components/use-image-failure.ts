import { useEffect, useState } from 'react';

/** The state of an image and the handlers for its events. */
export interface ImageFailure {
  /** `failed`: do not render the image. `retrying`: render it, which loads it again. */
  readonly state: 'shown' | 'failed' | 'retrying';
  readonly onLoad: () => void;
  readonly onError: () => void;
  readonly retry: () => void;
}

/** Whether the image at a URL could not be loaded. Retries when a lost connection returns. */
export function useImageFailure(address: string | undefined): ImageFailure {
  const [failure, setFailure] = useState<{ readonly address: string; readonly retrying: boolean }>();
  const isCurrent = address !== undefined && failure?.address === address;
  const state = !isCurrent ? 'shown' : failure.retrying ? 'retrying' : 'failed';
  const failed = state === 'failed';
  const retry = (): void => setFailure((last) => last && { ...last, retrying: true });
  useEffect(() => {
    if (!failed) return undefined;
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [failed]);
  return {
    state,
    onLoad: () => setFailure(undefined),
    onError: () => setFailure(address === undefined ? undefined : { address, retrying: false }),
    retry,
  };
}
