import type { Kysely } from 'kysely';
import { exchangeCode, startSignOn } from '#core/api';
import type { AccessChanges } from '../../access/access-changes.ts';
import { normaliseUsername } from '../../access/account.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Api } from '../../kernel/server-plugin.ts';
import { inactiveUser, noAccess } from '../../kernel/server-error.ts';
import type { AuthTables } from '../auth-tables.ts';
import type { KeyRing } from '../key-ring.ts';
import { asksForCookie, type SessionReply } from '../session-reply.ts';
import type { Sessions } from '../sessions.ts';
import { signOnFailed, type IdentityProviders, type VouchedPerson } from './identity-providers.ts';
import { openTransaction, sealTransaction, signOnLifetimeSeconds } from './sign-on-transaction.ts';

export interface SignOnParts {
  readonly tables: Kysely<AuthTables>;
  readonly keys: KeyRing;
  readonly clock: Clock;
  readonly providers: IdentityProviders;
  readonly sessions: Sessions;
  readonly reply: SessionReply;
  readonly audit: AuditLog;
  readonly changes: AccessChanges;
}

const transactionCookie = 'signOn';
const transactionPath = '/auth/pub/azure';

/** Single sign-on. An account is found by the email address that the provider vouches for; none is made. */
export function serveSignOn(
  api: Api,
  { tables, keys, clock, providers, sessions, reply, audit, changes }: SignOnParts,
): void {
  api.serve(startSignOn, async ({ query, http }) => {
    const { address, transaction } = await providers.begin(query.provider);
    http.setCookie(transactionCookie, await sealTransaction(keys, clock, transaction), {
      path: transactionPath,
      httpOnly: true,
      maxAgeSeconds: signOnLifetimeSeconds,
    });
    http.setHeader('cache-control', 'no-store');
    return { address };
  });

  api.serve(exchangeCode, async ({ query, http, requestId }) => {
    const transaction = await openTransaction(keys, clock, http.cookies[transactionCookie]);
    // One try for each start, whatever comes of it.
    http.clearCookie(transactionCookie, { path: transactionPath, httpOnly: true });
    if (transaction === undefined) throw signOnFailed();
    const account = await accountOf(await providers.complete(transaction, query), requestId);
    return reply.reply(await sessions.open(account, null), http, asksForCookie(http));
  });

  /**
   * uid of the account; an invited one is active from now on. Throws `noAccess` (403 E003) where there is none,
   * `inactiveUser` (E006).
   */
  async function accountOf({ email, emailVerified }: VouchedPerson, request: string): Promise<string> {
    const row = await tables
      .selectFrom('user_account')
      .select(['uid', 'status'])
      .where('username', '=', normaliseUsername(email))
      .executeTakeFirst();
    if (!emailVerified || row === undefined)
      throw noAccess('You have no access to this application. Please ask the admin for access.');
    if (row.status === 'INACTIVE') throw inactiveUser();
    if (row.status === 'ACTIVE') return row.uid;
    const activated = await tables.transaction().execute(async (transaction) => {
      const changed = await transaction
        .updateTable('user_account')
        .set({ status: 'ACTIVE', activated_at: new Date(clock.now()) })
        .where('uid', '=', row.uid)
        .where('status', 'in', ['INVITED', 'REGISTERED'])
        .returning('uid')
        .executeTakeFirst();
      if (changed !== undefined)
        await audit.record(
          { actor: row.uid, action: 'account.activated', subject: row.uid, details: { by: 'single sign-on' }, request },
          transaction,
        );
      return changed !== undefined;
    });
    if (activated) await changes.announce({ kind: 'account', account: row.uid });
    return row.uid;
  }
}
