import type { Kysely } from 'kysely';
import { endOtherSessions, endOwnSession, listOwnSessions } from '#core/api';
import type { AccessChanges } from '../access/access-changes.ts';
import type { Clock } from '../kernel/clock.ts';
import { notFound } from '../kernel/server-error.ts';
import type { Api } from '../kernel/server-plugin.ts';
import type { AuthTables } from './auth-tables.ts';
import { toSessionClient } from './session-client.ts';
import type { Sessions } from './sessions.ts';
import type { SignInAudit } from './sign-in-audit.ts';

const maxSessions = 100;

/** Endpoints by which signed-in people see and end their own sessions. */
export function serveOwnSessions(
  api: Api,
  options: {
    readonly tables: Kysely<AuthTables>;
    readonly sessions: Sessions;
    readonly changes: AccessChanges;
    readonly signIns: SignInAudit;
    readonly clock: Clock;
  },
): void {
  const { tables, sessions, changes, signIns, clock } = options;

  api.serve(listOwnSessions, async ({ caller }) => {
    const rows = await tables
      .selectFrom('session')
      .select(['id', 'device', 'address', 'created_at', 'last_used_at'])
      .where('account', '=', caller.uid)
      .where('revoked_at', 'is', null)
      .where('idle_expires_at', '>', new Date(clock.now()))
      .orderBy((row) => row('id', '=', caller.session), 'desc')
      .orderBy('last_used_at', 'desc')
      .limit(maxSessions)
      .execute();
    return rows.map(({ id, device, address, created_at, last_used_at }) => ({
      id,
      device,
      address,
      createdAt: created_at.toISOString(),
      lastUsedAt: last_used_at.toISOString(),
      current: id === caller.session,
    }));
  });

  api.serve(endOwnSession, async ({ caller, params, http, requestId }) => {
    const ownSession = await tables
      .selectFrom('session')
      .select('id')
      .where('id', '=', params.session)
      .where('account', '=', caller.uid)
      .executeTakeFirst();
    if (!ownSession) throw notFound('This session');
    await sessions.revoke(ownSession.id, (transaction, { session, account }) =>
      signIns.record(
        { action: 'session.ended', account, by: 'owner', session, ...toSessionClient(http, requestId) },
        transaction,
      ),
    );
    return {};
  });

  api.serve(endOtherSessions, async ({ caller, http, requestId }) => {
    const endedCount = await tables.transaction().execute(async (transaction) => {
      const rows = await transaction
        .updateTable('session')
        .set({ revoked_at: new Date(clock.now()) })
        .where('account', '=', caller.uid)
        .where('id', '<>', caller.session)
        .where('revoked_at', 'is', null)
        .returning('id')
        .execute();
      if (rows.length > 0)
        await signIns.record(
          {
            action: 'session.ended',
            account: caller.uid,
            by: 'owner',
            sessions: rows.length,
            ...toSessionClient(http, requestId),
          },
          transaction,
        );
      return rows.length;
    });
    await changes.announce({ kind: 'account', account: caller.uid });
    return { ended: endedCount };
  });
}
