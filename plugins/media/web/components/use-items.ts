import type { Page } from '#core/api';
import { HttpClient, useResource, useService, type Resource } from '#core/web';
import type { MediaItem } from '#plugins/media';
import type { listItems } from '#plugins/media/api';

/** The first `limit` images and videos. Read it in an observer. */
export function useItems(limit: number): Resource<Page<MediaItem>> {
  const http = useService(HttpClient);
  return useResource(
    (signal) => http.call<typeof listItems>('GET', '/api/media/items', { query: { limit } }, { signal }),
    [http, limit],
  );
}
