import { defaultSiteRecord, isTimeZone, validate, type SiteRecord } from '#core';
import { siteRecordRules, SiteRecord as siteRecordSchema } from '#core/api';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Database } from '../database/database.ts';
import { getCheck } from '../kernel/body-checks.ts';
import type { Clock } from '../kernel/clock.ts';
import { invalidRequest, notFound } from '../kernel/server-error.ts';
import type { AccessChanges } from './access-changes.ts';
import type { AccessTables } from './access-tables.ts';
import type { LocationStore } from './location-store.ts';
import { fromSiteRecord } from './site-tables.ts';
import type { SiteChange, SiteStore } from './site-store.ts';

interface SiteStoreOptions {
  readonly database: Database;
  /** Its root rows hold the site records. */
  readonly locations: Pick<LocationStore, 'find'>;
  readonly changes: AccessChanges;
  readonly audit: AuditLog;
  readonly clock: Clock;
  /** IANA time zone of the deployment. */
  readonly timeZone: string;
}

const checkShape = getCheck(siteRecordSchema, 'body');

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

  async save(site: string, record: SiteRecord, { by, request }: SiteChange): Promise<void> {
    assertSiteRecord(record);
    const { database, changes, audit, clock } = this.#options;
    const values = { ...fromSiteRecord(record), updated_at: new Date(clock.now()) };
    await database
      .of<AccessTables>('core')
      .transaction()
      .execute(async (transaction) => {
        const siteRow = await transaction
          .selectFrom('location')
          .select('uid')
          .where('uid', '=', site)
          .where('parent', 'is', null)
          .where('location_type', '=', 'PRIMARY_LOCATION')
          .forUpdate()
          .executeTakeFirst();
        if (!siteRow) throw notFound('This site');
        await transaction
          .insertInto('site')
          .values({ location: site, ...values })
          .onConflict((conflict) => conflict.column('location').doUpdateSet(values))
          .execute();
        await audit.record(
          {
            actor: by,
            action: 'site.saved',
            subject: site,
            details: { ...record },
            ...(request === undefined ? {} : { request }),
          },
          transaction,
        );
      });
    await changes.announce({ kind: 'locations' });
  }
}

function assertSiteRecord(record: SiteRecord): void {
  const verdict = checkShape(record);
  if (verdict !== true) throw verdict.error;
  const fields = validate(record, siteRecordRules);
  if (fields.length > 0) throw invalidRequest('The record of the site is not valid.', fields);
}
