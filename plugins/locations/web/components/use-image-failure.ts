import { useEffect, useState } from 'react';

/** The props of an image, which is not rendered after a failure, and a retry. */
export interface ImageFailure {
  readonly failed: boolean;
  readonly onError: () => void;
  readonly retry: () => void;
}

/** Whether the image of an address could not be loaded. Retries when a lost connection returns. */
export function useImageFailure(address: string | undefined): ImageFailure {
  const [failedAddress, setFailedAddress] = useState<string>();
  const failed = address !== undefined && failedAddress === address;
  const retry = () => setFailedAddress(undefined);
  useEffect(() => {
    if (!failed) return undefined;
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [failed]);
  return { failed, onError: () => setFailedAddress(address), retry };
}
