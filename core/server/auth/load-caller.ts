import type { Kysely } from 'kysely';
import { token, type UserType } from '#core';
import { isAdminType, normaliseUsername } from '../access/account.ts';
import type { Caller } from '../access/caller.ts';
import { computeAccess } from '../access/compute-access.ts';
import type { Database } from '../database/database.ts';
import type { AuthTables } from './auth-tables.ts';

/** Loads the current access of an account and returns it as the caller of a session. */
export async function loadCaller(
  tables: Kysely<AuthTables>,
  {
    uid,
    username,
    user_type: userType,
  }: { readonly uid: string; readonly username: string; readonly user_type: UserType },
  session: string,
): Promise<Caller> {
  return {
    uid,
    username,
    userType,
    isAdmin: isAdminType(userType),
    access: computeAccess(await loadRoles(tables, uid)),
    session,
  };
}

/** Active accounts as callers without a session, for jobs and the command line. */
export const Callers = token<Callers>('core.Callers');
export interface Callers {
  /** By uid, or by username ignoring case. Undefined if there is no active account. */
  find(identifier: { readonly uid: string } | { readonly username: string }): Promise<Caller | undefined>;
}

export async function findCaller(
  database: Database,
  identifier: { readonly uid: string } | { readonly username: string },
): Promise<Caller | undefined> {
  const tables = database.of<AuthTables>('core');
  const row = await tables
    .selectFrom('user_account')
    .select(['uid', 'username', 'user_type'])
    .where(
      'uid' in identifier ? 'uid' : 'username',
      '=',
      'uid' in identifier ? identifier.uid : normaliseUsername(identifier.username),
    )
    .where('status', '=', 'ACTIVE')
    .executeTakeFirst();
  return row && loadCaller(tables, row, '');
}

async function loadRoles(tables: Kysely<AuthTables>, account: string) {
  const rows = await tables
    .selectFrom('user_role')
    .innerJoin('role', 'role.uid', 'user_role.role')
    .leftJoin('role_location', 'role_location.role', 'role.uid')
    .select(['role.uid', 'role.name', 'role.status', 'role.flags', 'role.all_locations', 'role_location.location'])
    .where('user_role.account', '=', account)
    .execute();
  const roles = new Map<
    string,
    {
      name: string;
      status: 'ACTIVE' | 'INACTIVE';
      flags: (typeof rows)[number]['flags'];
      allLocations: boolean;
      locations: string[];
    }
  >();
  for (const row of rows) {
    const role = roles.get(row.uid) ?? {
      name: row.name,
      status: row.status,
      flags: row.flags,
      allLocations: row.all_locations,
      locations: [],
    };
    if (row.location !== null) role.locations.push(row.location);
    roles.set(row.uid, role);
  }
  return [...roles.values()];
}
