import { defaultSiteRecord, isTimeZone, type SiteRecord } from '#core';
import type { Database } from '../database/database.ts';
import type { Clock } from '../kernel/clock.ts';
import { notFound } from '../kernel/server-error.ts';
import type { AccessChanges } from './access-changes.ts';
import type { AccessTables } from './access-tables.ts';
import type { LocationStore } from './location-store.ts';
import { lockLocations } from './lock-locations.ts';
import { assertSiteRecord } from './site-record.ts';
import type { SiteStore } from './site-store.ts';
import { fromSiteRecord } from './site-tables.ts';

interface SiteStoreOptions {
  readonly database: Database;
  /** Its root locations contain the site records. */
  readonly locations: Pick<LocationStore, 'find'>;
  readonly changes: AccessChanges;
  readonly clock: Clock;
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

  async save(site: string, record: SiteRecord): Promise<void> {
    assertSiteRecord(record);
    const { database, changes, clock } = this.#options;
    const columns = { ...fromSiteRecord(record), updated_at: new Date(clock.now()) };
    await database
      .of<AccessTables>('core')
      .transaction()
      .execute(async (transaction) => {
        await lockLocations(transaction);
        const siteRow = await transaction
          .selectFrom('location')
          .select('uid')
          .where('uid', '=', site)
          .where('parent', 'is', null)
          .where('location_type', '=', 'PRIMARY_LOCATION')
          .executeTakeFirst();
        if (!siteRow) throw notFound('This site');
        await transaction
          .insertInto('site')
          .values({ location: site, ...columns })
          .onConflict((builder) => builder.column('location').doUpdateSet(columns))
          .execute();
      });
    await changes.announce({ kind: 'locations' });
  }
}
