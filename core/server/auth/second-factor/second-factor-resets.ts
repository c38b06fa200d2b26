import type { Kysely, Transaction } from 'kysely';
import { token } from '#core';
import { coreRefusal, resetSecondFactor } from '#core/api';
import type { AccessChanges } from '../../access/access-changes.ts';
import type { AccountRow } from '../../access/access-tables.ts';
import { normaliseUsername } from '../../access/account.ts';
import type { LocationStore } from '../../access/location-store.ts';
import { loadOwnAccess } from '../../access/own-access.ts';
import type { Roles } from '../../access/roles.ts';
import type { AuditLog, AuditOrigin } from '../../audit/audit-log.ts';
import type { Clock } from '../../kernel/clock.ts';
import { conflict, notFound } from '../../kernel/server-error.ts';
import type { Api } from '../../kernel/server-plugin.ts';
import type { AccountMails } from '../account-mails.ts';
import { assertCanManage } from '../assert-can-manage.ts';
import type { AuthTables } from '../auth-tables.ts';
import { revokeSessionsOfAccount } from '../sessions.ts';
import { removeSecondFactor } from './second-factors.ts';

export interface SecondFactorResetOptions {
  readonly tables: Kysely<AuthTables>;
  readonly changes: AccessChanges;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly mails: AccountMails;
  readonly roles: Roles;
  readonly locations: LocationStore;
}

/** Removes second factors of people who have lost the app and the recovery codes. */
export interface SecondFactorResets {
  /** For the command line. @throws `notFound` (404), `conflict` (409) without a second factor */
  resetByUsername(username: string): Promise<void>;
}
export const SecondFactorResets = token<SecondFactorResets>('core.SecondFactorResets');

interface ResetAuthor {
  /** uid. Null on the command line. */
  readonly actor: string | null;
  readonly request?: string;
  /** @throws if the author may not manage the account. Must query through the transaction only. */
  readonly assertCanReset?: (transaction: Transaction<AuthTables>, account: AccountRow) => Promise<void>;
}

/** Serves the endpoint for admins, and returns the service for the command line. */
export function serveSecondFactorResets(api: Api, options: SecondFactorResetOptions): SecondFactorResets {
  const { tables, changes, audit, clock, mails, roles, locations } = options;

  const reset = async (
    column: 'uid' | 'username',
    value: string,
    { actor, request, assertCanReset }: ResetAuthor,
  ): Promise<void> => {
    const uid = await tables.transaction().execute(async (transaction) => {
      const account = await transaction
        .selectFrom('user_account')
        .selectAll()
        .where(column, '=', value)
        .forUpdate()
        .executeTakeFirst();
      if (account === undefined) throw notFound('This person');
      await assertCanReset?.(transaction, account);
      if (!(await removeSecondFactor(transaction, account.uid)))
        throw conflict(coreRefusal('core.refused.noSecondFactor', { name: account.name || account.username }));
      await revokeSessionsOfAccount(transaction, clock.now(), account.uid);
      await audit.record(
        {
          actor,
          action: 'secondFactor.reset',
          subject: account.uid,
          name: account.name,
          details: { by: (actor === null ? 'commandLine' : 'admin') satisfies AuditOrigin },
          ...(request === undefined ? {} : { request }),
        },
        transaction,
      );
      await mails.enqueueSecondFactorOff(transaction, account.uid);
      return account.uid;
    });
    await changes.announce({ kind: 'account', account: uid });
    await mails.sendPending();
  };

  api.serve(resetSecondFactor, async ({ caller, params, requestId }) => {
    if (params.person === caller.uid) throw conflict(coreRefusal('core.refused.ownSecondFactor'));
    const allRoles = await roles.list();
    const ownAccess = await loadOwnAccess(caller, locations);
    await reset('uid', params.person, {
      actor: caller.uid,
      request: requestId,
      assertCanReset: async (transaction, { uid, user_type }) => {
        const roleRows = await transaction.selectFrom('user_role').select('role').where('account', '=', uid).execute();
        const uids = new Set(roleRows.map(({ role }) => role));
        assertCanManage(
          ownAccess,
          user_type,
          allRoles.filter((role) => uids.has(role.uid)),
        );
      },
    });
    return {};
  });

  return { resetByUsername: (username) => reset('username', normaliseUsername(username), { actor: null }) };
}
