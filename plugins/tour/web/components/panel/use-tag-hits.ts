import { useEffect, useMemo } from 'react';
import { HttpClient, Resource, useService } from '#core/web';
import type { TagHit } from '#plugins/tour';
import type { searchTags } from '#plugins/tour/api';

/** After the last key. */
const pauseMs = 200;

class TagSearch {
  readonly hits: Resource<readonly TagHit[]>;
  #text = '';

  constructor(http: HttpClient, location: string) {
    this.hits = new Resource(async (signal) => {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      signal.throwIfAborted();
      return http.call<typeof searchTags>(
        'GET',
        '/api/tour/:location/tags',
        { params: { location }, query: { text: this.#text } },
        { signal },
      );
    });
  }

  /** Nothing is found for the empty text. Returns the function that ends it. */
  find(text: string): () => void {
    this.#text = text;
    if (text === '') this.hits.update(() => []);
    else void this.hits.load();
    return () => this.hits.dispose();
  }
}

/**
 * Tags and lines of the tour that hold the text; the former hits stay until the next ones are there. To be read in an
 * observer.
 */
export function useTagHits(location: string, text: string): Resource<readonly TagHit[]> {
  const http = useService(HttpClient);
  const search = useMemo(() => new TagSearch(http, location), [http, location]);
  useEffect(() => search.find(text), [search, text]);
  return search.hits;
}
