import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { UserType } from '#core';
import { normaliseUsername } from '../access/account.ts';
import type { AuthTables } from './auth-tables.ts';
import { hashPassword } from './password-hash.ts';

export interface AccountWithPassword {
  readonly username: string;
  readonly name: string;
  readonly userType: UserType;
  readonly password: string;
  readonly roles: readonly string[];
  /** ACTIVE by default. */
  readonly status?: 'ACTIVE' | 'INACTIVE';
}

/**
 * Creates an account with a password and without an invitation, for the first admin and the demo. Returns false and
 * changes nothing if the account exists.
 */
export async function insertAccount(
  tables: Kysely<AuthTables>,
  now: Date,
  account: AccountWithPassword,
): Promise<boolean> {
  const passwordHash = await hashPassword(account.password);
  const insertedRow = await tables
    .insertInto('user_account')
    .values({
      uid: randomUUID(),
      username: normaliseUsername(account.username),
      name: account.name,
      user_type: account.userType,
      status: account.status ?? 'ACTIVE',
      password_hash: passwordHash,
      preferences: '{}',
      section: null,
      department: null,
      division: null,
      business_unit: null,
      created_at: now,
      invited_at: null,
      activated_at: now,
    })
    .onConflict((conflict) => conflict.column('username').doNothing())
    .returning('uid')
    .executeTakeFirst();
  if (insertedRow === undefined) return false;
  if (account.roles.length > 0) {
    await tables
      .insertInto('user_role')
      .values(account.roles.map((role) => ({ account: insertedRow.uid, role })))
      .execute();
  }
  return true;
}
