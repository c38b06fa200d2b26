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
  /** Returns the access flag that undoing a change requires. `table` is the table of its first row. */
  readonly undoAccessOf: (owner: string, table: string | undefined) => AccessFlag;
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
  readonly first_table: string | null;
}

const defaultPageSize = 50;

/** The first segments of the actions in each area: `account` stands for `account.invited`. */
const actionOwners = {
  SIGN_IN: ['signIn', 'session', 'sessions', 'code', 'password', 'secondFactor'],
  PEOPLE: ['accessRequest', 'account', 'groupRole', 'people', 'role'],
} as const;
const peopleOwners = [...actionOwners.SIGN_IN, ...actionOwners.PEOPLE];

/** Lists entries of the audit log, latest first. Always two queries. */
export async function listAuditEntries(
  database: Kysely<unknown>,
  { offset = 0, limit = defaultPageSize, undoAccessOf, ...filter }: AuditFilter,
): Promise<Page<AuditLogEntry>> {
  const fromClause = sql`
    from core.audit_log entry
    left join core.user_account person on person.uid = entry.actor
    left join core.user_account account on account.uid = entry.subject
    where ${sql.join(toConditions(filter), sql` and `)}`;
  const countResult = await sql<{ total: string }>`select count(*) as total ${fromClause}`.execute(database);
  const { rows } = await sql<EntryRow>`
    select page.*, change.uid as change, change.undone_by is not null as undone, change.owner,
      (select table_name from core.change_row where change_row.change = change.uid order by number limit 1)
        as first_table
    from (
      select entry.id, entry.at, entry.actor, person.name as actor_name, entry.action, entry.subject,
        coalesce(entry.name, account.name) as name, entry.location, entry.details
      ${fromClause} order by entry.id desc limit ${limit} offset ${offset}
    ) page
    left join core.change on change.uid = page.details ->> 'change'
    order by page.id desc`.execute(database);
  return {
    total: Number(countResult.rows[0]?.total ?? 0),
    offset,
    rows: rows.map((row) => toEntry(row, undoAccessOf)),
  };
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
  // Changes of people by plugins, such as imports, have other actions and are found by the owner of the change.
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
  // Content entries without a location are shown if they concern the whole product. Imports of locations are not: they
  // may concern locations that the reader cannot access.
  if (locations !== 'ALL')
    conditions.push(sql`(entry.location = any(${locations}::text[]) or (entry.location is null and (
      ${owner} = any(${peopleOwners}::text[])
      or exists (
        select from core.change
        where uid = entry.details ->> 'change' and change.location = '' and change.owner <> 'location'))))`);
  const searchText = text.trim().toLowerCase();
  if (searchText !== '')
    conditions.push(sql`strpos(lower(concat_ws(' ', person.name, person.username, entry.name, account.name,
      account.username, entry.subject, entry.action)), ${searchText}) > 0`);
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
      : { uid: row.change, undone: row.undone, access: undoAccessOf(row.owner, row.first_table ?? undefined) },
});
