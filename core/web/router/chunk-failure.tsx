import { useEffect, useEffectEvent, useState } from 'react';
import { observer } from 'mobx-react-lite';
import type { getMe } from '#core/api';
import type { ChunkLoadError } from '../kernel/load-chunk.ts';
import { Page } from '../kernel/page.ts';
import { ApiError, HttpClient } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';
import { useAppComponents } from './app-components.ts';
import { UnsavedWork } from './unsaved-work.ts';

/** Shows that code could not be loaded, and loads it again when a lost connection returns. */
export const ChunkFailure = observer(function ChunkFailure({
  error,
  retry,
}: {
  readonly error: ChunkLoadError;
  readonly retry: () => void;
}) {
  const components = useAppComponents();
  const page = useService(Page);
  const unsavedWork = useService(UnsavedWork);
  return (
    <components.chunkFailed
      error={error}
      offline={useUnreachable(retry)}
      unsaved={unsavedWork.exists}
      retry={retry}
      reload={() => page.reload()}
    />
  );
});

/**
 * Whether the server is unreachable. The browser only knows whether it has a network, so a request checks the server.
 * Until this request ends, the browser's own state is returned.
 */
function useUnreachable(onOnline: () => void): boolean {
  const http = useService(HttpClient);
  const handleOnline = useEffectEvent(onOnline);
  const [unreachable, setUnreachable] = useState(!navigator.onLine);
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const check = (): void => {
      http.call<typeof getMe>('GET', '/api/me', {}, { signal }).then(
        () => setUnreachable(false),
        (cause: unknown) => {
          if (!signal.aborted) setUnreachable(cause instanceof ApiError && cause.status === 0);
        },
      );
    };
    check();
    window.addEventListener('offline', check, { signal });
    window.addEventListener('online', () => handleOnline(), { signal });
    return () => abort.abort();
  }, [http]);
  return unreachable;
}
