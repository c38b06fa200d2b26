import { useEffect, useState } from 'react';
import { HttpClient, useService } from '#core/web';
import type { TagHit } from '#plugins/tour';
import type { searchTags } from '#plugins/tour/api';

/** Milliseconds after the last key. */
const timeoutMs = 200;

export interface TagHits {
  readonly state: 'idle' | 'loading' | 'loaded' | 'failed';
  readonly hits: readonly TagHit[];
}

const idle: TagHits = { state: 'idle', hits: [] };

/** Tags and lines of the tour that hold the text; the former hits stay until the next ones are there. */
export function useTagHits(location: string, text: string): TagHits {
  const http = useService(HttpClient);
  const [found, setFound] = useState<TagHits>(idle);
  const wanted = text.trim();
  useEffect(() => {
    if (wanted === '') return setFound(idle);
    setFound((before) => ({ ...before, state: 'loading' }));
    const asking = new AbortController();
    const timer = setTimeout(() => {
      http
        .call<typeof searchTags>(
          'GET',
          '/api/tour/:location/tags',
          { params: { location }, query: { text: wanted } },
          { signal: asking.signal },
        )
        .then(
          (hits) => setFound({ state: 'loaded', hits }),
          () => {
            if (!asking.signal.aborted) setFound({ state: 'failed', hits: [] });
          },
        );
    }, timeoutMs);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [http, location, wanted]);
  return found;
}
