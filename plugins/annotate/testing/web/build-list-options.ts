import type { HttpClient } from '#core/web';
import type { SyncedListOptions } from '../../web/stores/synced-list.ts';
import { MemoryStorage } from './memory-storage.ts';

/** Builds the options of a list without server events. Each location counts as lying below each other location. */
export const buildListOptions = (
  changes: Partial<SyncedListOptions> & { readonly http: HttpClient },
): SyncedListOptions => ({
  storage: new MemoryStorage(),
  events: { on: () => () => undefined },
  locations: { pathTo: () => [] },
  getAuthor: () => ({ username: 'ann', name: 'Ann Lee' }),
  ...changes,
});
