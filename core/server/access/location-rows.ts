import { sql, type Transaction } from 'kysely';
import type { SiteRecord } from '#core';
import type { AccessTables } from './access-tables.ts';
import { StoredTree, type StoredLocation } from './location-tree.ts';
import { fromSiteRecord, toSiteRecord } from './site-tables.ts';

const rowsPerInsert = 1000;

/** All locations with their site records and roles. */
export async function loadLocations(transaction: Transaction<AccessTables>): Promise<StoredTree> {
  const rows = await transaction.selectFrom('location').selectAll().orderBy('position').orderBy('uid').execute();
  const sites = new Map(
    (await transaction.selectFrom('site').selectAll().execute()).map((row) => [row.location, toSiteRecord(row)]),
  );
  const roles = new Map<string, string[]>();
  for (const { location, role } of await transaction.selectFrom('role_location').selectAll().orderBy('role').execute())
    roles.set(location, [...(roles.get(location) ?? []), role]);
  return new StoredTree(
    rows.map(({ location_type: locationType, ...row }) => ({
      ...row,
      locationType,
      site: sites.get(row.uid) ?? null,
      roles: roles.get(row.uid) ?? [],
    })),
  );
}

/** The change by which a person has created a location. Undefined if somebody else has created it. */
export async function findCreation(
  transaction: Transaction<AccessTables>,
  uid: string,
  author: string | null,
): Promise<string | undefined> {
  const { rows } = await sql<{ change: string; actor: string | null }>`
    select details ->> 'change' as change, actor from core.audit_log
    where subject = ${uid} and action = 'location.created'
    order by id desc limit 1`.execute(transaction);
  const [creation] = rows;
  return creation?.actor === author ? creation.change : undefined;
}

/** Writes the difference between two lists of locations. */
export async function writeLocations(
  transaction: Transaction<AccessTables>,
  before: readonly StoredLocation[],
  after: readonly StoredLocation[],
  now: Date,
): Promise<void> {
  const kept = new Set(after.map(({ uid }) => uid));
  const removed = before.filter(({ uid }) => !kept.has(uid)).map(({ uid }) => uid);
  if (removed.length > 0)
    await transaction
      .deleteFrom('location')
      .where('uid', '=', sql<string>`any(${removed}::text[])`)
      .execute();
  const existing = new Set(before.map(({ uid }) => uid));
  const created = after.filter(({ uid }) => !existing.has(uid));
  for (let start = 0; start < created.length; start += rowsPerInsert)
    await transaction
      .insertInto('location')
      .values(created.slice(start, start + rowsPerInsert).map(toColumns))
      .execute();
  const grants = created.flatMap(({ uid, roles }) => roles.map((role) => ({ uid, role })));
  if (grants.length > 0)
    await sql`
      insert into core.role_location (role, location)
      select role.uid, granted.location
      from unnest(${grants.map(({ role }) => role)}::text[], ${grants.map(({ uid }) => uid)}::text[])
        as granted (role, location)
      join core.role on role.uid = granted.role`.execute(transaction);
  // A change changes one location at most. Only deletions and their undoing concern more.
  for (const location of after.filter(({ uid }) => existing.has(uid)))
    await transaction.updateTable('location').set(toColumns(location)).where('uid', '=', location.uid).execute();
  for (const { uid, site } of after) {
    if (site) await writeSite(transaction, uid, site, now);
    else if (existing.has(uid)) await transaction.deleteFrom('site').where('location', '=', uid).execute();
  }
}

/** Gives siblings positions with space between them. Returns the position before the sibling at `index`. */
export async function spreadSiblings(
  transaction: Transaction<AccessTables>,
  tree: StoredTree,
  siblings: readonly StoredLocation[],
  index: number,
): Promise<number> {
  await sql`
    update core.location set position = ${tree.lastPosition} + sibling.place
    from unnest(${siblings.map(({ uid }) => uid)}::text[]) with ordinality as sibling (uid, place)
    where location.uid = sibling.uid`.execute(transaction);
  return tree.lastPosition + index + 0.5;
}

async function writeSite(
  transaction: Transaction<AccessTables>,
  location: string,
  site: SiteRecord,
  now: Date,
): Promise<void> {
  const record = { ...fromSiteRecord(site), updated_at: now };
  await transaction
    .insertInto('site')
    .values({ location, ...record })
    .onConflict((onConflict) => onConflict.column('location').doUpdateSet(record))
    .execute();
}

const toColumns = ({ uid, label, name, parent, root, locationType, position, version }: StoredLocation) => ({
  uid,
  label,
  name,
  parent,
  root,
  location_type: locationType,
  position,
  version,
});
