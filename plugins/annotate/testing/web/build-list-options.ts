import type { HttpClient } from '#core/web';
import type { SyncedListOptions } from '../../web/stores/synced-list.ts';
import { MemoryStorage } from './memory-storage.ts';

/** What a list needs, with a stream that says nothing and locations that are all below each other. */
export const buildListOptions = (
  changes: Partial<SyncedListOptions> & { readonly http: HttpClient },
): SyncedListOptions => ({
  storage: new MemoryStorage(),
  events: { on: () => () => undefined },
  locations: { pathTo: () => [] },
  me: () => ({ username: 'ann', name: 'Ann Lee' }),
  ...changes,
});
