import type { Kysely, Transaction } from 'kysely';
import { cookieNames } from '#core';
import { activate, register, requestReset, resendCode, resetPassword } from '#core/api';
import type { AccessChanges } from '../access/access-changes.ts';
import type { AccountRow } from '../access/access-tables.ts';
import { normaliseUsername } from '../access/account.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Api, CallHttp } from '../kernel/server-plugin.ts';
import { invalidCode } from '../kernel/server-error.ts';
import type { AccountMails } from './account-mails.ts';
import type { AuthTables, CodePurpose } from './auth-tables.ts';
import { createRequestSecret, requestLifetimeMs, hashSecret, type OneTimeCodes } from './one-time-codes.ts';
import { hashPassword } from './password-hash.ts';
import type { PasswordPolicy } from './password-policy.ts';
import { revokeSessionsOfAccount } from './sessions.ts';
import { toSessionClient } from './session-client.ts';
import type { RefusalReason, SignInAudit } from './sign-in-audit.ts';

export interface RegistrationOptions {
  readonly tables: Kysely<AuthTables>;
  readonly clock: Clock;
  readonly codes: OneTimeCodes;
  readonly mails: AccountMails;
  readonly audit: AuditLog;
  readonly signIns: SignInAudit;
  readonly passwords: PasswordPolicy;
  readonly changes: AccessChanges;
}

/** The cookie is sent only to the endpoints of this file. It lasts as long as its request can get another code. */
const requestCookie = { path: '/auth/api/user', httpOnly: true, maxAgeSeconds: requestLifetimeMs / 1000 } as const;

/**
 * Registration, activation and reset, without a token. Jobs look accounts up (`AccountMails`), so that neither text nor
 * timing of a reply reveals whether an account exists. A code works only with the cookie of the browser that requested
 * it (docs/decisions/0015).
 */
export function serveRegistration(api: Api, options: RegistrationOptions): void {
  const { tables, clock, codes, mails, changes, signIns, passwords } = options;

  /** Starts a new request for this client, which invalidates its earlier ones. Returns the hash of its secret. */
  const startRequest = (http: CallHttp): string => {
    const secret = createRequestSecret();
    http.setCookie(cookieNames.codeRequest, secret, requestCookie);
    return hashSecret(secret);
  };

  /**
   * Redeems the code. `accept` changes the account while its row is locked; if it throws, the code stays valid. A
   * missing account gets the same reply as a wrong code, and the timing differs by one index lookup only.
   *
   * @throws `invalidCode` if the code is wrong or the account does not exist
   */
  const redeem = async (
    { username, otp }: { readonly username: string; readonly otp: string },
    { http, requestId }: { readonly http: CallHttp; readonly requestId: string },
    purpose: CodePurpose,
    accept: (transaction: Transaction<AuthTables>, account: AccountRow, passwordHash: string | null) => Promise<void>,
  ): Promise<void> => {
    const auditDetails = { purpose, ...toSessionClient(http, requestId) };
    const secret = http.cookies[cookieNames.codeRequest];
    if (secret === undefined) {
      await signIns.recordRefusal({ action: 'code.refused', reason: 'otherBrowser', username, ...auditDetails });
      throw invalidCode();
    }
    const key = await codes.getKey();
    const result = await tables.transaction().execute(async (transaction) => {
      const account = await transaction
        .selectFrom('user_account')
        .selectAll()
        .where('username', '=', normaliseUsername(username))
        .forUpdate()
        .executeTakeFirst();
      const reason = findStateRefusal(account, purpose);
      if (account === undefined || reason !== undefined)
        return { refused: reason ?? 'accountUnknown', account: account?.uid ?? null } as const;
      const codeResult = await codes.redeem(transaction, key, account.uid, purpose, hashSecret(secret), otp);
      if ('refused' in codeResult) return { refused: codeResult.refused, account: account.uid } as const;
      await accept(transaction, account, codeResult.row.password_hash);
      await signIns.record({ action: 'code.used', account: account.uid, ...auditDetails }, transaction);
      return { account: account.uid } as const;
    });
    if ('refused' in result) {
      const { refused: reason, account } = result;
      await signIns.recordRefusal({ action: 'code.refused', reason, account, username, ...auditDetails });
      throw invalidCode();
    }
    http.clearCookie(cookieNames.codeRequest, requestCookie);
    await changes.announce({ kind: 'account', account: result.account });
  };

  api.serve(register, async ({ body, http, requestId }) => {
    const { username, password } = body;
    passwords.assertAcceptable(password, { username }, '/password');
    const passwordHash = await hashPassword(password);
    const usesOwnName = await isOwnName(username, password);
    await mails.enqueueCode({
      mailKind: 'activation',
      username,
      request: startRequest(http),
      requestId,
      clientAddress: http.address,
      passwordHash: usesOwnName ? null : passwordHash,
    });
    return {};
  });

  api.serve(activate, async ({ body, http, requestId }) => {
    await redeem(body, { http, requestId }, 'ACTIVATE', async (transaction, { uid }, passwordHash) => {
      if (passwordHash === null) throw passwords.createOwnNameRefusal('/password');
      await transaction
        .updateTable('user_account')
        .set({ status: 'ACTIVE', password_hash: passwordHash, activated_at: new Date(clock.now()) })
        .where('uid', '=', uid)
        .execute();
      await options.audit.record(
        { actor: uid, action: 'account.activated', subject: uid, request: requestId },
        transaction,
      );
    });
    return {};
  });

  api.serve(requestReset, async ({ query, http, requestId }) => {
    await mails.enqueueCode({
      mailKind: 'reset',
      username: query.username,
      request: startRequest(http),
      requestId,
      clientAddress: http.address,
      passwordHash: null,
    });
    return {};
  });

  api.serve(resetPassword, async ({ body, http, requestId }) => {
    passwords.assertAcceptable(body.password, { username: body.username }, '/password');
    // Hashing is slow, so it is done before the transaction locks the account's row.
    const passwordHash = await hashPassword(body.password);
    await redeem(body, { http, requestId }, 'RESET', async (transaction, { uid, name, username }) => {
      passwords.assertAcceptable(body.password, { username, name }, '/password');
      await transaction
        .updateTable('user_account')
        .set({ password_hash: passwordHash })
        .where('uid', '=', uid)
        .execute();
      await revokeSessionsOfAccount(transaction, clock.now(), uid);
      await options.audit.record(
        { actor: uid, action: 'account.passwordReset', subject: uid, request: requestId },
        transaction,
      );
      await mails.enqueuePasswordChanged(transaction, uid);
    });
    await mails.sendPending();
    return {};
  });

  api.serve(resendCode, async ({ query, http, requestId }) => {
    const secret = http.cookies[cookieNames.codeRequest];
    await mails.enqueueCode({
      mailKind: 'again',
      username: query.username,
      request: secret === undefined ? startRequest(http) : hashSecret(secret),
      requestId,
      clientAddress: http.address,
      passwordHash: null,
    });
    return {};
  });

  /**
   * Whether the password is the name of the account's owner. Registration does not report it, because the reply would
   * reveal that the account exists. It stores no password hash instead, and activation refuses the name later.
   */
  async function isOwnName(username: string, password: string): Promise<boolean> {
    const row = await tables
      .selectFrom('user_account')
      .select('name')
      .where('username', '=', normaliseUsername(username))
      .executeTakeFirst();
    return passwords.isOwnName(password, { username, name: row?.name ?? '' });
  }
}

/** Returns the reason for which the account cannot redeem a code of this purpose, or undefined. */
function findStateRefusal(account: AccountRow | undefined, purpose: CodePurpose): RefusalReason | undefined {
  if (account === undefined) return 'accountUnknown';
  if (account.status === 'INACTIVE') return 'accountInactive';
  return account.status === (purpose === 'ACTIVATE' ? 'REGISTERED' : 'ACTIVE') ? undefined : 'stateUnfit';
}
