import { useEffect, useState, useSyncExternalStore } from 'react';
import type { getMe } from '#core/api';
import { ApiError, HttpClient } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';

function subscribe(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}

/**
 * Whether the server is unreachable. A browser also reports offline if its own machine hosts the server and has no
 * network, so a request checks the server first.
 */
export function useOffline(): boolean {
  const http = useService(HttpClient);
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  const [unreachable, setUnreachable] = useState(false);
  useEffect(() => {
    if (online) return undefined;
    const abort = new AbortController();
    http.call<typeof getMe>('GET', '/api/me', {}, { signal: abort.signal }).catch((error: unknown) => {
      if (!abort.signal.aborted) setUnreachable(error instanceof ApiError && error.status === 0);
    });
    return () => {
      abort.abort();
      setUnreachable(false);
    };
  }, [http, online]);
  return !online && unreachable;
}
