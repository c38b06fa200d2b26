import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { accessFlags, maxRolePage, type AccessFlag, type roleSorts, type RoleStatus } from '#core';
import type { Page, RoleRow } from '#core/api';
import { administratorRole } from '../auth/ensure-first-admin.ts';

export interface RoleFilter {
  /** A part of the name or ID, ignoring case. */
  readonly text?: string;
  readonly status?: RoleStatus;
  readonly sort?: (typeof roleSorts)[number];
  readonly order?: 'ascending' | 'descending';
  readonly offset?: number;
  readonly limit?: number;
}

interface ListedRole {
  readonly uid: string;
  readonly name: string;
  readonly status: RoleStatus;
  readonly flags: readonly AccessFlag[];
  readonly all_locations: boolean;
  readonly version: number;
  readonly created_at: Date;
  readonly people: number;
  readonly locations: number;
}

const sortColumns = { name: sql`lower(role.name)`, people: sql`people`, createdAt: sql`role.created_at` } as const;

/** Lists roles with counts. Always two statements. */
export async function listRoles(
  database: Kysely<unknown>,
  { text = '', status, sort = 'name', order = 'ascending', offset = 0, limit = maxRolePage }: RoleFilter,
): Promise<Page<RoleRow>> {
  const conditions: RawBuilder<SqlBool>[] = [sql<SqlBool>`true`];
  if (status !== undefined) conditions.push(sql`role.status = ${status}`);
  const searchText = text.trim().toLowerCase();
  if (searchText !== '') conditions.push(sql`strpos(lower(role.name || ' ' || role.uid), ${searchText}) > 0`);
  const condition = sql.join(conditions, sql` and `);
  const countResult = await sql<{ total: number }>`
    select count(*)::integer as total from core.role as role where ${condition}`.execute(database);
  const { rows } = await sql<ListedRole>`
    select role.uid, role.name, role.status, role.flags, role.all_locations, role.version, role.created_at,
      coalesce(granted.people, 0) as people, coalesce(granted_location.locations, 0) as locations
    from core.role as role
    left join (
      select user_role.role, count(*)::integer as people
      from core.user_role join core.user_account account
        on account.uid = user_role.account and account.status <> 'INACTIVE'
      group by user_role.role
    ) granted on granted.role = role.uid
    left join (
      select role, count(*)::integer as locations from core.role_location group by role
    ) granted_location on granted_location.role = role.uid
    where ${condition}
    order by ${sortColumns[sort]} ${sql.raw(order === 'descending' ? 'desc' : 'asc')}, role.uid
    limit ${limit} offset ${offset}`.execute(database);
  return { total: countResult.rows[0]?.total ?? 0, offset, rows: rows.map(toRoleRow) };
}

const toRoleRow = (row: ListedRole): RoleRow => ({
  uid: row.uid,
  name: row.name,
  status: row.status,
  flags: accessFlags.filter((flag) => row.flags.includes(flag)),
  allLocations: row.all_locations,
  builtIn: row.uid === administratorRole,
  version: row.version,
  createdAt: row.created_at.toISOString(),
  people: row.people,
  locationCount: row.locations,
});
