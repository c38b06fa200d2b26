import type { Kysely } from 'kysely';
import { changePassword, getMe, savePreferences, saveProfile, type Me } from '#core/api';
import type { AccessChanges } from '../access/access-changes.ts';
import type { Caller } from '../access/caller.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Api } from '../kernel/server-plugin.ts';
import { invalidRequest, unauthenticated } from '../kernel/server-error.ts';
import type { AccountMails } from './account-mails.ts';
import type { Accounts } from './accounts.ts';
import type { AuthTables } from './auth-tables.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import type { NoticeSources } from './notice-sources.ts';
import type { PasswordPolicy } from './password-policy.ts';
import { toSessionClient } from './session-client.ts';
import { revokeSessionsOfAccount } from './sessions.ts';
import type { RefusalReason, SignInAudit } from './sign-in-audit.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

export interface MeOptions {
  readonly tables: Kysely<AuthTables>;
  readonly accounts: Accounts;
  readonly throttle: SignInThrottle;
  readonly changes: AccessChanges;
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly signIns: SignInAudit;
  readonly passwords: PasswordPolicy;
  readonly mails: AccountMails;
  readonly notices: Pick<NoticeSources, 'hasNotices'>;
}

/** Endpoints by which signed-in people read and change their own account. */
export function serveMe(api: Api, options: MeOptions): void {
  const { tables, accounts, throttle, changes, clock, audit, signIns, passwords, mails, notices } = options;
  const loadMe = async (caller: Caller): Promise<Me> => {
    const account = await tables
      .selectFrom('user_account')
      .select(['name', 'preferences'])
      .where('uid', '=', caller.uid)
      .executeTakeFirst();
    if (account === undefined) throw unauthenticated();
    const { flags, locations, deactivatedRoles } = caller.access;
    return {
      uid: caller.uid,
      username: caller.username,
      name: account.name,
      userType: caller.userType,
      isAdmin: caller.isAdmin,
      access: {
        flags: [...flags],
        locations: locations === 'ALL' ? 'ALL' : [...locations],
        deactivatedRoles: [...deactivatedRoles],
      },
      preferences: account.preferences,
      ...((await notices.hasNotices(caller)) ? { notices: true } : {}),
    };
  };

  api.serve(getMe, ({ caller }) => loadMe(caller));

  api.serve(saveProfile, async ({ caller, body }) => {
    await accounts.update(caller.uid, { name: body.name });
    return loadMe(caller);
  });

  api.serve(savePreferences, async ({ caller, body }) => {
    const { preferences } = await accounts.update(caller.uid, { preferences: body });
    return preferences;
  });

  api.serve(changePassword, async ({ caller, body, http, requestId }) => {
    const recordRefusal = (reason: RefusalReason) =>
      signIns.recordRefusal({
        action: 'password.refused',
        reason,
        account: caller.uid,
        ...toSessionClient(http, requestId),
      });
    await throttle.countAttempt('password', caller.username, http.address).catch(async (error: unknown) => {
      await recordRefusal('throttled');
      throw error;
    });
    const row = await tables
      .selectFrom('user_account')
      .select(['name', 'password_hash'])
      .where('uid', '=', caller.uid)
      .executeTakeFirst();
    if (!(await verifyPassword(row?.password_hash, body.current))) {
      await recordRefusal('passwordWrong');
      throw invalidRequest('The current password is wrong.', [
        { pointer: '/current', message: 'core.validation.currentPassword' },
      ]);
    }
    // The current password is right, so a refusal of the new one below must not count as a failed guess.
    await throttle.recordSuccess('password', caller.username, http.address);
    passwords.assertAcceptable(body.next, { username: caller.username, name: row?.name ?? '' }, '/next');
    const passwordHash = await hashPassword(body.next);
    await tables.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('user_account')
        .set({ password_hash: passwordHash })
        .where('uid', '=', caller.uid)
        .execute();
      await revokeSessionsOfAccount(transaction, clock.now(), caller.uid, caller.session);
      await audit.record(
        { actor: caller.uid, action: 'account.passwordChanged', subject: caller.uid, request: requestId },
        transaction,
      );
      await mails.enqueuePasswordChanged(transaction, caller.uid);
    });
    await mails.sendPending();
    await changes.announce({ kind: 'account', account: caller.uid });
    return {};
  });
}
