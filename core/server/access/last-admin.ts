import { sql, type Kysely } from 'kysely';
import { coreRefusal } from '#core/api';
import { conflict } from '../kernel/server-error.ts';

/**
 * Asserts that somebody can still manage people and the configuration: an active admin whose active roles grant
 * `userManagement` and `configure`. Run it in the transaction of a change that may take these rights away, after the
 * change. Concurrent transactions are checked one after the other.
 *
 * @throws `conflict` (409) `core.refused.lastAdmin`
 */
export async function assertAdminRemains<Tables>(transaction: Kysely<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('core.lastAdmin'))`.execute(transaction);
  const { rows } = await sql`
    select 1 from core.user_account account
    join core.user_role granted on granted.account = account.uid
    join core.role role on role.uid = granted.role and role.status = 'ACTIVE'
    where account.status = 'ACTIVE' and account.user_type = 'TENANT_ADMIN'
      and (role.flags && array['userManagement', 'configure'])
    group by account.uid
    having bool_or('userManagement' = any(role.flags)) and bool_or('configure' = any(role.flags))
    limit 1`.execute(transaction);
  if (rows.length === 0) throw conflict(coreRefusal('core.refused.lastAdmin'));
}
