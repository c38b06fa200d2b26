import { useEffect, useState } from 'react';

/** The state of an image that is being loaded, and the handlers for its events. */
export interface ImageLoad {
  /** `failed`: do not render the image. `retrying`: render it, which loads it again. */
  readonly state: 'shown' | 'failed' | 'retrying';
  readonly onLoad: () => void;
  readonly onError: () => void;
  readonly retry: () => void;
}

/** Tracks whether the image at a URL could be loaded. Retries a failed load when a lost connection returns. */
export function useImageLoad(url: string | undefined): ImageLoad {
  const [failure, setFailure] = useState<{ readonly url: string; readonly retrying: boolean }>();
  const isCurrent = url !== undefined && failure?.url === url;
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
    onError: () => setFailure(url === undefined ? undefined : { url, retrying: false }),
    retry,
  };
}
