import type { HttpClient } from '#core/web';
import type { SyncedListOptions } from '../../web/stores/synced-list.ts';
import { MemoryStorage } from './memory-storage.ts';

/** Options of a list with a silent event stream, where every location lies below every other. */
export const buildListOptions = (
  changes: Partial<SyncedListOptions> & { readonly http: HttpClient },
): SyncedListOptions => ({
  storage: new MemoryStorage(),
  events: { on: () => () => undefined },
  locations: { pathTo: () => [] },
  me: () => ({ username: 'ann', name: 'Ann Lee' }),
  ...changes,
});
