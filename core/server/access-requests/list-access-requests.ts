import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { maxAccessRequestPage, type AccessRequestStatus } from '#core';
import type { AccessRequest, OwnAccessRequest, Page } from '#core/api';
import type { AccessRequestRow } from './access-request-tables.ts';

export interface AccessRequestFilter {
  readonly uid?: string;
  readonly status?: AccessRequestStatus;
  /** Requests at other locations are left out. `ALL` includes unknown locations. */
  readonly locations: 'ALL' | readonly string[];
  readonly offset?: number;
  readonly limit?: number;
}

interface ListedRequest extends AccessRequestRow {
  readonly person_name: string;
  readonly username: string;
  readonly admin_name: string | null;
  readonly role_name: string | null;
}

/** The maximum number of own requests that a person sees. */
const maxOwnRequests = 50;

/** Lists requests for access, latest first. Always two statements. */
export async function listAccessRequests(
  database: Kysely<unknown>,
  { uid, status, locations, offset = 0, limit = maxAccessRequestPage }: AccessRequestFilter,
): Promise<Page<AccessRequest>> {
  const conditions: RawBuilder<SqlBool>[] = [sql<SqlBool>`true`];
  if (uid !== undefined) conditions.push(sql`request.uid = ${uid}`);
  if (status !== undefined) conditions.push(sql`request.status = ${status}`);
  if (locations !== 'ALL')
    conditions.push(sql`(request.location = '' or request.location = any(${[...locations]}::text[]))`);
  const condition = sql.join(conditions, sql` and `);
  const countResult = await sql<{ total: number }>`
    select count(*)::integer as total from core.access_request request where ${condition}`.execute(database);
  const { rows } = await sql<ListedRequest>`
    select request.*, person.name as person_name, person.username, admin.name as admin_name, role.name as role_name
    from core.access_request request
    join core.user_account person on person.uid = request.account
    left join core.user_account admin on admin.uid = request.answered_by
    left join core.role as role on role.uid = request.role
    where ${condition}
    order by request.created_at desc, request.uid limit ${limit} offset ${offset}`.execute(database);
  return {
    total: countResult.rows[0]?.total ?? 0,
    offset,
    rows: rows.map((row) => ({
      ...toOwnRequest(row),
      person: { uid: row.account, name: row.person_name, username: row.username },
      answeredAt: row.answered_at?.toISOString() ?? null,
      answeredBy: row.admin_name,
      version: row.version,
    })),
  };
}

/** Lists the latest requests of one person. */
export async function listOwnAccessRequests(
  database: Kysely<unknown>,
  account: string,
): Promise<readonly OwnAccessRequest[]> {
  const { rows } = await sql<AccessRequestRow & { role_name: string | null }>`
    select request.*, role.name as role_name
    from core.access_request request left join core.role as role on role.uid = request.role
    where request.account = ${account}
    order by request.created_at desc, request.uid limit ${maxOwnRequests}`.execute(database);
  return rows.map(toOwnRequest);
}

export const toOwnRequest = (row: AccessRequestRow & { readonly role_name?: string | null }): OwnAccessRequest => ({
  uid: row.uid,
  feature: row.feature,
  location: row.location === '' ? null : row.location,
  reason: row.reason,
  status: row.status,
  createdAt: row.created_at.toISOString(),
  role: row.role_name ?? row.role,
  answer: row.answer,
});
