import { useEffect, useState, useSyncExternalStore } from 'react';
import type { getMe } from '#core/api';
import { ApiError, HttpClient, useService } from '#core/web';

function subscribe(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

/**
 * Whether the server is unreachable. Browsers also report offline on a machine without network that hosts the server
 * itself, so the server is checked first.
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
