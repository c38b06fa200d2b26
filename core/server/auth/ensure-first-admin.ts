import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { accessFlags } from '#core';
import type { CoreContext } from '../kernel/core-part.ts';
import { systemClock } from '../kernel/clock.ts';
import type { AuthTables } from './auth-tables.ts';
import { putAccount } from './put-account.ts';

/** uid of the role with all access flags. */
export const administratorRole = 'administrator';

/**
 * Creates a role with every flag and all locations and an admin who has it, if there is no account yet. Returns the
 * password, generated if none was given and stored nowhere; undefined if an account existed. Concurrent processes
 * create one admin.
 */
export async function ensureFirstAdmin(
  context: Pick<CoreContext, 'database'>,
  admin: { readonly username: string; readonly name?: string; readonly password?: string },
): Promise<{ readonly username: string; readonly password: string } | undefined> {
  const password = admin.password ?? randomBytes(16).toString('base64url');
  const now = new Date(systemClock.now());
  const made = await context.database
    .of<AuthTables>('core')
    .transaction()
    .execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(hashtext('core.firstAdmin'))`.execute(transaction);
      if ((await transaction.selectFrom('user_account').select('uid').limit(1).executeTakeFirst()) !== undefined)
        return false;
      await transaction
        .insertInto('role')
        .values({
          uid: administratorRole,
          name: 'Administrator',
          status: 'ACTIVE',
          flags: [...accessFlags],
          all_locations: true,
          created_at: now,
        })
        .onConflict((conflict) => conflict.column('uid').doNothing())
        .execute();
      return putAccount(transaction, now, {
        username: admin.username,
        name: admin.name ?? 'Administrator',
        userType: 'TENANT_ADMIN',
        password,
        roles: [administratorRole],
      });
    });
  return made ? { username: admin.username, password } : undefined;
}
