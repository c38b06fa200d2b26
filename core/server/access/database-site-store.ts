import { defaultSiteRecord, isTimeZone, type SiteRecord } from '#core';
import type { LocationChanges } from './location-changes.ts';
import type { LocationStore } from './location-store.ts';
import type { LocationAuthor, SiteStore } from './site-store.ts';

interface SiteStoreOptions {
  /** Its root rows hold the site records. */
  readonly locations: Pick<LocationStore, 'find'>;
  readonly changes: LocationChanges;
  /** IANA time zone of the deployment. */
  readonly timeZone: string;
}

export class DatabaseSiteStore implements SiteStore {
  readonly #options: SiteStoreOptions;

  constructor(options: SiteStoreOptions) {
    this.#options = options;
  }

  async recordAt(location: string): Promise<SiteRecord> {
    const { locations, timeZone } = this.#options;
    const row = await locations.find(location);
    const root = row && (await locations.find(row.root));
    if (!root?.site) return defaultSiteRecord(timeZone);
    // The database may come from a machine whose Node knows more time zones.
    return isTimeZone(root.site.timeZone) ? root.site : { ...root.site, timeZone: 'UTC' };
  }

  save(site: string, record: SiteRecord, author: LocationAuthor): Promise<string | null> {
    return this.#options.changes.saveSite(site, record, author);
  }
}
