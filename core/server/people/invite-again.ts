import { coreRefusal } from '#core/api';
import type { AccessTables } from '../access/access-tables.ts';
import type { Caller } from '../access/caller.ts';
import type { LocationStore } from '../access/location-store.ts';
import { loadGrants, loadOwnAccess } from '../access/own-access.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { assertCanManage } from '../auth/assert-can-manage.ts';
import { conflict, notFound } from '../kernel/server-error.ts';
import type { PeopleContext } from './change-people.ts';

/**
 * Mails an invitation again, valid from now.
 *
 * @throws `notFound` (404); `conflict` (409) if the account was activated or is inactive; `noAccess` (403)
 */
export async function inviteAgain(
  context: PeopleContext & { readonly locations: LocationStore; readonly audit: AuditLog },
  caller: Caller,
  person: string,
  request: string,
): Promise<void> {
  const { database, invitations, audit, clock } = context;
  const ownAccess = await loadOwnAccess(caller, context.locations);
  await database
    .of<AccessTables>('core')
    .transaction()
    .execute(async (transaction) => {
      const account = await transaction
        .selectFrom('user_account')
        .select(['name', 'status', 'user_type'])
        .where('uid', '=', person)
        .forUpdate()
        .executeTakeFirst();
      if (!account) throw notFound('This person');
      if (account.status !== 'INVITED' && account.status !== 'REGISTERED')
        throw conflict(coreRefusal('core.refused.personInvited', { name: account.name }));
      const roleRows = await transaction.selectFrom('user_role').select('role').where('account', '=', person).execute();
      const roles = roleRows.map(({ role }) => role);
      assertCanManage(ownAccess, account.user_type, (await loadGrants(transaction, roles)).values());
      await transaction
        .updateTable('user_account')
        .set({ invited_at: new Date(clock.now()) })
        .where('uid', '=', person)
        .execute();
      await invitations.enqueue(transaction, [person]);
      await audit.record(
        { actor: caller.uid, action: 'account.invited', subject: person, name: account.name, request },
        transaction,
      );
    });
  await invitations.sendPending();
}
