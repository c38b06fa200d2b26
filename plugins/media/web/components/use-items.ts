import type { Page } from '#core/api';
import { HttpClient, useResource, useService, type Resource } from '#core/web';
import type { MediaItem } from '#plugins/media';
import type { listItems } from '#plugins/media/api';

/** Loads the first `limit` images and videos. Only observers re-render when they arrive. */
export function useItems(limit: number): Resource<Page<MediaItem>> {
  const http = useService(HttpClient);
  return useResource(
    (signal) => http.call<typeof listItems>('GET', '/api/media/items', { query: { limit } }, { signal }),
    [http, limit],
  );
}
