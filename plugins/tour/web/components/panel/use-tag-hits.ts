import { useEffect, useMemo } from 'react';
import { HttpClient, Resource, useService } from '#core/web';
import type { TagHit } from '#plugins/tour';
import type { searchTags } from '#plugins/tour/api';

/** Delay of the search after the last key press. */
const delayMs = 200;

class TagSearch {
  readonly hits: Resource<readonly TagHit[]>;
  #text = '';

  constructor(http: HttpClient, location: string) {
    this.hits = new Resource(async (signal) => {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      signal.throwIfAborted();
      return http.call<typeof searchTags>(
        'GET',
        '/api/tour/:location/tags',
        { params: { location }, query: { text: this.#text } },
        { signal },
      );
    });
  }

  /** Starts a search. The empty text has no hits. Returns the function that aborts the search. */
  start(text: string): () => void {
    this.#text = text;
    if (text === '') this.hits.update(() => []);
    else void this.hits.load();
    return () => this.hits.dispose();
  }
}

/**
 * Finds tags and lines of the tour that match the text. Keeps the previous hits until the next ones are loaded. Must be
 * called in an observer.
 */
export function useTagHits(location: string, text: string): Resource<readonly TagHit[]> {
  const http = useService(HttpClient);
  const search = useMemo(() => new TagSearch(http, location), [http, location]);
  useEffect(() => search.start(text), [search, text]);
  return search.hits;
}
