import { sql, type Kysely } from 'kysely';
import { findLocationPath, type AccessInfo, type LocationRow } from '#core';
import type { Database } from '../database/database.ts';
import type { Clock } from '../kernel/clock.ts';
import { prepareReply, type PreparedReply } from '../kernel/prepared-reply.ts';
import type { AccessChanges } from './access-changes.ts';
import type { AccessTables } from './access-tables.ts';
import type { Caller } from './caller.ts';
import { TtlCache } from '../kernel/ttl-cache.ts';
import type { LocationStore } from './location-store.ts';
import { lockLocations } from './lock-locations.ts';
import { toSiteRecord } from './site-tables.ts';

interface Snapshot {
  readonly rows: readonly LocationRow[];
  readonly byUid: ReadonlyMap<string, LocationRow>;
  readonly children: ReadonlyMap<string, readonly string[]>;
  /** Accessible locations by set of granted locations. Most people have one of a few such sets. */
  readonly accessible: TtlCache<ReadonlySet<string>>;
  /** Serialised replies by set of granted locations. */
  readonly replies: TtlCache<PreparedReply>;
}

const snapshotLifetimeMs = 60_000;
const maxCachedSets = 200;
const rowsPerInsert = 1000;

/** Caches the location tree in memory. Reloads it after a change in any process, and once it is a minute old. */
export class DatabaseLocationStore implements LocationStore {
  readonly #tables: Kysely<AccessTables>;
  readonly #changes: AccessChanges;
  readonly #clock: Clock;
  readonly #snapshots: TtlCache<Snapshot>;

  constructor(database: Database, changes: AccessChanges, clock: Clock) {
    this.#tables = database.of<AccessTables>('core');
    this.#changes = changes;
    this.#clock = clock;
    this.#snapshots = new TtlCache({ clock, lifetime: snapshotLifetimeMs, capacity: 1 });
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

  async ancestors(uid: string): Promise<readonly string[]> {
    return findAncestors(await this.#snapshot(), uid);
  }

  async descendants(uid: string): Promise<readonly string[]> {
    return findDescendants(await this.#snapshot(), [uid]);
  }

  async related(uid: string): Promise<readonly string[]> {
    return findRelated(await this.#snapshot(), uid);
  }

  async findSite(uid: string): Promise<string | undefined> {
    return (await this.find(uid))?.root;
  }

  async canAccess(caller: Caller, uid: string): Promise<boolean> {
    return (await this.#accessible(caller)).has(uid);
  }

  async accessible(caller: Pick<Caller, 'access'>): Promise<readonly string[]> {
    return [...(await this.#accessible(caller))];
  }

  async accessibleDescendants(caller: Caller, uid: string): Promise<readonly string[]> {
    const accessibleUids = await this.#accessible(caller);
    return (await this.descendants(uid)).filter((descendantUid) => accessibleUids.has(descendantUid));
  }

  async accessibleRelated(caller: Caller, uid: string): Promise<readonly string[]> {
    const accessibleUids = await this.#accessible(caller);
    return (await this.related(uid)).filter((relatedUid) => accessibleUids.has(relatedUid));
  }

  async filterAccessible<T extends { readonly location: string }>(
    caller: Caller,
    rows: readonly T[],
  ): Promise<readonly T[]> {
    const accessibleUids = await this.#accessible(caller);
    return rows.filter(({ location }) => accessibleUids.has(location));
  }

  /** The accessible locations and their ancestors, serialised once for each set of granted locations. */
  async createReply(locations: AccessInfo['locations']): Promise<PreparedReply> {
    const snapshot = await this.#snapshot();
    return snapshot.replies.get(toKey(locations), () => prepareReply(filterVisibleRows(snapshot, locations)));
  }

  async upsert(rows: readonly LocationRow[]): Promise<void> {
    if (rows.length === 0) return;
    const uniqueRows = [...new Map(rows.map((row) => [row.uid, row])).values()];
    await this.#tables.transaction().execute(async (transaction) => {
      await lockLocations(transaction);
      const lastRow = await transaction
        .selectFrom('location')
        .select('position')
        .orderBy('position', 'desc')
        .limit(1)
        .executeTakeFirst();
      const firstPosition = (lastRow?.position ?? 0) + 1;
      for (let start = 0; start < uniqueRows.length; start += rowsPerInsert) {
        await transaction
          .insertInto('location')
          .values(
            uniqueRows
              .slice(start, start + rowsPerInsert)
              .map(({ uid, label, name, parent, root, locationType }, index) => ({
                uid,
                label,
                name,
                parent,
                root,
                location_type: locationType,
                position: firstPosition + start + index,
              })),
          )
          .onConflict((conflict) =>
            conflict
              .column('uid')
              .doUpdateSet((builder) => ({
                label: builder.ref('excluded.label'),
                name: builder.ref('excluded.name'),
                parent: builder.ref('excluded.parent'),
                root: builder.ref('excluded.root'),
                location_type: builder.ref('excluded.location_type'),
                version: sql<number>`location.version + 1`,
              }))
              .where(
                sql<boolean>`(location.label, location.name, location.parent, location.root, location.location_type)
                  is distinct from
                  (excluded.label, excluded.name, excluded.parent, excluded.root, excluded.location_type)`,
              ),
          )
          .execute();
      }
    });
    await this.#changes.announce({ kind: 'locations' });
  }

  async #accessible({ access: { locations } }: Pick<Caller, 'access'>): Promise<ReadonlySet<string>> {
    const snapshot = await this.#snapshot();
    return snapshot.accessible.get(
      toKey(locations),
      async () => new Set(locations === 'ALL' ? snapshot.byUid.keys() : findDescendants(snapshot, locations)),
    );
  }

  #snapshot(): Promise<Snapshot> {
    return this.#snapshots.get('', async () => {
      const locationRows = await this.#tables
        .selectFrom('location')
        .select(['uid', 'label', 'name', 'parent', 'root', 'location_type', 'version'])
        .orderBy('position')
        .orderBy('uid')
        .execute();
      const sites = new Map(
        (await this.#tables.selectFrom('site').selectAll().execute()).map((row) => [row.location, toSiteRecord(row)]),
      );
      const rows = locationRows.map(({ location_type: locationType, ...row }): LocationRow => {
        const site = sites.get(row.uid);
        return { ...row, locationType, ...(site ? { site } : {}) };
      });
      return {
        rows,
        byUid: new Map(rows.map((row) => [row.uid, row])),
        children: groupChildren(rows),
        accessible: this.#createCache(),
        replies: this.#createCache(),
      };
    });
  }

  #createCache<V>(): TtlCache<V> {
    return new TtlCache({ clock: this.#clock, lifetime: snapshotLifetimeMs, capacity: maxCachedSets });
  }
}

const toKey = (locations: AccessInfo['locations']): string =>
  locations === 'ALL' ? 'ALL' : JSON.stringify([...locations].sort());

function groupChildren(rows: readonly LocationRow[]): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>();
  for (const { uid, parent } of rows) {
    if (parent === null) continue;
    const siblings = children.get(parent);
    if (siblings) siblings.push(uid);
    else children.set(parent, [uid]);
  }
  return children;
}

const findAncestors = ({ byUid }: Snapshot, uid: string): readonly string[] =>
  findLocationPath(byUid, uid)
    .map((row) => row.uid)
    .reverse();

/** Finds all descendants breadth first, each location once, and stops at cycles. */
function findDescendants({ byUid, children }: Snapshot, uids: readonly string[]): readonly string[] {
  const visited = new Set(uids.filter((uid) => byUid.has(uid)));
  for (const uid of visited) for (const child of children.get(uid) ?? []) visited.add(child);
  return [...visited];
}

const findRelated = (snapshot: Snapshot, uid: string): readonly string[] => [
  ...new Set([...findAncestors(snapshot, uid), ...findDescendants(snapshot, [uid])]),
];

function filterVisibleRows(snapshot: Snapshot, locations: AccessInfo['locations']): readonly LocationRow[] {
  const { rows } = snapshot;
  if (locations === 'ALL') return rows;
  const visibleUids = new Set(findDescendants(snapshot, locations));
  for (const grantedUid of locations) for (const uid of findAncestors(snapshot, grantedUid)) visibleUids.add(uid);
  return rows.filter(({ uid }) => visibleUids.has(uid));
}
