import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { AccessFlag, AuditArea } from '#core';
import type { AuditLogEntry, Page } from '#core/api';

export interface AuditFilter {
  readonly area?: AuditArea;
  /** A part of the name of a person or subject, a uid or an action, ignoring case. */
  readonly text?: string;
  readonly subject?: string;
  readonly from?: string;
  readonly to?: string;
  /** Entries about other locations are left out. `ALL` includes deleted locations. */
  readonly locations: 'ALL' | readonly string[];
  readonly offset?: number;
  readonly limit?: number;
  /** The flag that undoing a change of an owner needs. */
  readonly undoAccessOf: (owner: string) => AccessFlag;
}

interface EntryRow {
  readonly id: string;
  readonly at: Date;
  readonly actor: string | null;
  readonly actor_name: string | null;
  readonly action: string;
  readonly subject: string;
  readonly name: string | null;
  readonly location: string | null;
  readonly details: Record<string, unknown>;
  readonly change: string | null;
  readonly undone: boolean;
  /** Owner of the change, if there is one. */
  readonly owner: string | null;
}

const defaultPageSize = 50;

/** Actions of an area by the part before the first dot. */
const actionOwners = {
  SIGN_IN: ['signIn', 'session', 'sessions', 'code', 'password'],
  PEOPLE: ['accessRequest', 'account', 'people', 'role'],
} as const;
const peopleOwners = [...actionOwners.SIGN_IN, ...actionOwners.PEOPLE];

/** Lists entries of the audit log, latest first. The number of queries does not depend on that of the entries. */
export async function listAuditEntries(
  database: Kysely<unknown>,
  { offset = 0, limit = defaultPageSize, undoAccessOf, ...filter }: AuditFilter,
): Promise<Page<AuditLogEntry>> {
  const from = sql`
    from core.audit_log entry
    left join core.user_account person on person.uid = entry.actor
    left join core.user_account account on account.uid = entry.subject
    where ${sql.join(toConditions(filter), sql` and `)}`;
  const counted = await sql<{ total: string }>`select count(*) as total ${from}`.execute(database);
  const { rows } = await sql<EntryRow>`
    select page.*, change.uid as change, change.undone_by is not null as undone, change.owner
    from (
      select entry.id, entry.at, entry.actor, person.name as actor_name, entry.action, entry.subject,
        coalesce(entry.name, account.name) as name, entry.location, entry.details
      ${from} order by entry.id desc limit ${limit} offset ${offset}
    ) page
    left join core.change on change.uid = page.details ->> 'change'
    order by page.id desc`.execute(database);
  return { total: Number(counted.rows[0]?.total ?? 0), offset, rows: rows.map((row) => toEntry(row, undoAccessOf)) };
}

function toConditions({
  area,
  text = '',
  subject,
  from,
  to,
  locations,
}: Omit<AuditFilter, 'offset' | 'limit' | 'undoAccessOf'>) {
  const owner = sql`split_part(entry.action, '.', 1)`;
  const conditions: RawBuilder<SqlBool>[] = [sql<SqlBool>`true`];
  // A plugin may change people, such as by an import.
  const concernsPeople = sql`exists (
    select from core.change
    where uid = entry.details ->> 'change' and change.owner = any(${[...actionOwners.PEOPLE]}::text[]))`;
  if (area === 'CONTENT') conditions.push(sql`${owner} <> all(${peopleOwners}::text[]) and not ${concernsPeople}`);
  else if (area === 'PEOPLE')
    conditions.push(sql`(${owner} = any(${[...actionOwners.PEOPLE]}::text[]) or ${concernsPeople})`);
  else if (area) conditions.push(sql`${owner} = any(${[...actionOwners[area]]}::text[])`);
  if (subject !== undefined) conditions.push(sql`entry.subject = ${subject}`);
  if (from !== undefined) conditions.push(sql`entry.at >= ${from}::timestamptz`);
  if (to !== undefined) conditions.push(sql`entry.at < ${to}::timestamptz`);
  // Entries about contents have no location if they are older than this column, or concern the whole product. Imports
  // of locations concern several, of which some may be out of reach.
  if (locations !== 'ALL')
    conditions.push(sql`(entry.location = any(${locations}::text[]) or (entry.location is null and (
      ${owner} = any(${peopleOwners}::text[])
      or exists (
        select from core.change
        where uid = entry.details ->> 'change' and change.location = '' and change.owner <> 'location'))))`);
  const wanted = text.trim().toLowerCase();
  if (wanted !== '')
    conditions.push(sql`strpos(lower(concat_ws(' ', person.name, person.username, entry.name, account.name,
      account.username, entry.subject, entry.action)), ${wanted}) > 0`);
  return conditions;
}

const toEntry = (row: EntryRow, undoAccessOf: AuditFilter['undoAccessOf']): AuditLogEntry => ({
  id: String(row.id),
  at: row.at.toISOString(),
  actor: row.actor === null ? null : { uid: row.actor, name: row.actor_name ?? row.actor },
  action: row.action,
  subject: row.subject,
  name: row.name,
  location: row.location,
  details: row.details,
  change:
    row.change === null || row.owner === null
      ? null
      : { uid: row.change, undone: row.undone, access: undoAccessOf(row.owner) },
});
