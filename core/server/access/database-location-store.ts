import { sql, type Kysely } from 'kysely';
import { locationPath, type AccessInfo, type LocationRow } from '#core';
import type { Database } from '../database/database.ts';
import type { Clock } from '../kernel/clock.ts';
import { prepareReply, type PreparedReply } from '../kernel/prepared-reply.ts';
import type { AccessChanges } from './access-changes.ts';
import type { AccessTables } from './access-tables.ts';
import type { Caller } from './caller.ts';
import { FreshCache } from './fresh-cache.ts';
import type { LocationStore } from './location-store.ts';
import { toSiteRecord } from './site-tables.ts';

interface Snapshot {
  readonly rows: readonly LocationRow[];
  readonly byUid: ReadonlyMap<string, LocationRow>;
  /** Answers by set of locations: most people share a few sets. */
  readonly replies: FreshCache<PreparedReply>;
}

const snapshotLifetime = 60_000;
const repliesKept = 200;
const rowsPerInsert = 1000;

/** The location tree in memory, read anew when any process announces a change, and after a minute at the latest. */
export class DatabaseLocationStore implements LocationStore {
  readonly #tables: Kysely<AccessTables>;
  readonly #changes: AccessChanges;
  readonly #clock: Clock;
  readonly #snapshots: FreshCache<Snapshot>;

  constructor(database: Database, changes: AccessChanges, clock: Clock) {
    this.#tables = database.of<AccessTables>('core');
    this.#changes = changes;
    this.#clock = clock;
    this.#snapshots = new FreshCache({ clock, lifetime: snapshotLifetime, capacity: 1 });
    changes.onChange(({ kind }) => {
      if (kind === 'locations' || kind === 'anything') this.#snapshots.clear();
    });
  }

  async all(): Promise<readonly LocationRow[]> {
    return (await this.#snapshot()).rows;
  }

  async find(uid: string): Promise<LocationRow | undefined> {
    return (await this.#snapshot()).byUid.get(uid);
  }

  async reaches(caller: Caller, uid: string): Promise<boolean> {
    const { byUid } = await this.#snapshot();
    const { locations } = caller.access;
    if (locations === 'ALL') return byUid.has(uid);
    return locationPath(byUid, uid).some((row) => locations.includes(row.uid));
  }

  /** What these locations reach, and the ancestors that lead there, serialised once for each set of locations. */
  async replyFor(locations: AccessInfo['locations']): Promise<PreparedReply> {
    const snapshot = await this.#snapshot();
    const key = locations === 'ALL' ? 'ALL' : JSON.stringify([...locations].sort());
    return snapshot.replies.get(key, () => prepareReply(reachedRows(snapshot, locations)));
  }

  async upsert(rows: readonly LocationRow[]): Promise<void> {
    if (rows.length === 0) return;
    const lastByUid = [...new Map(rows.map((row) => [row.uid, row])).values()];
    await this.#tables.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(hashtext('core.location'))`.execute(transaction);
      const last = await transaction
        .selectFrom('location')
        .select('position')
        .orderBy('position', 'desc')
        .limit(1)
        .executeTakeFirst();
      const first = (last?.position ?? 0) + 1;
      for (let start = 0; start < lastByUid.length; start += rowsPerInsert) {
        await transaction
          .insertInto('location')
          .values(
            lastByUid
              .slice(start, start + rowsPerInsert)
              .map(({ uid, label, name, parent, root, locationType }, index) => ({
                uid,
                label,
                name,
                parent,
                root,
                location_type: locationType,
                position: first + start + index,
              })),
          )
          .onConflict((conflict) =>
            conflict.column('uid').doUpdateSet((excluded) => ({
              label: excluded.ref('excluded.label'),
              name: excluded.ref('excluded.name'),
              parent: excluded.ref('excluded.parent'),
              root: excluded.ref('excluded.root'),
              location_type: excluded.ref('excluded.location_type'),
            })),
          )
          .execute();
      }
    });
    await this.#changes.announce({ kind: 'locations' });
  }

  #snapshot(): Promise<Snapshot> {
    return this.#snapshots.get('', async () => {
      const found = await this.#tables
        .selectFrom('location')
        .select(['uid', 'label', 'name', 'parent', 'root', 'location_type'])
        .orderBy('position')
        .orderBy('uid')
        .execute();
      const sites = new Map(
        (await this.#tables.selectFrom('site').selectAll().execute()).map((row) => [row.location, toSiteRecord(row)]),
      );
      const rows = found.map(({ location_type: locationType, ...row }): LocationRow => {
        const site = sites.get(row.uid);
        return { ...row, locationType, ...(site ? { site } : {}) };
      });
      return {
        rows,
        byUid: new Map(rows.map((row) => [row.uid, row])),
        replies: new FreshCache<PreparedReply>({
          clock: this.#clock,
          lifetime: snapshotLifetime,
          capacity: repliesKept,
        }),
      };
    });
  }
}

function reachedRows({ rows, byUid }: Snapshot, locations: AccessInfo['locations']): readonly LocationRow[] {
  if (locations === 'ALL') return rows;
  const granted = new Set(locations);
  const shown = new Set<string>();
  for (const row of rows) {
    const path = locationPath(byUid, row.uid);
    if (!path.some(({ uid }) => granted.has(uid))) continue;
    for (const { uid } of path) shown.add(uid);
  }
  return rows.filter(({ uid }) => shown.has(uid));
}
