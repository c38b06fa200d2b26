import type { Kysely } from 'kysely';
import { cookieNames, refreshTokenInCookie, type LoginType } from '#core';
import { login, logout, renewToken, type SignInChallenge } from '#core/api';
import type { AccountRow } from '../access/access-tables.ts';
import { isAdminType, normaliseUsername } from '../access/account.ts';
import type { Api, CallHttp } from '../kernel/server-plugin.ts';
import { inactiveUser, invalidCredentials } from '../kernel/server-error.ts';
import type { AuthTables } from './auth-tables.ts';
import { verifyPassword } from './password-hash.ts';
import { requestsCookie, type SessionReply } from './session-reply.ts';
import { SessionRefusedError } from './session-refused-error.ts';
import type { RecordEnd, Sessions } from './sessions.ts';
import { toSessionClient, type SessionClient } from './session-client.ts';
import type { RefusalReason, SignInAudit } from './sign-in-audit.ts';
import type { SecondFactors } from './second-factor/second-factors.ts';
import type { SignInChallenges } from './second-factor/sign-in-challenges.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

/** Login, renewal and logout. */
export function serveSessions(
  api: Api,
  {
    tables,
    sessions,
    reply,
    throttle,
    signIns,
    secondFactors,
    challenges,
    loginType,
  }: {
    readonly tables: Kysely<AuthTables>;
    readonly sessions: Sessions;
    readonly reply: SessionReply;
    readonly throttle: SignInThrottle;
    readonly signIns: SignInAudit;
    readonly secondFactors: SecondFactors;
    readonly challenges: SignInChallenges;
    readonly loginType: LoginType;
  },
): void {
  const refuseLogin = (
    reason: RefusalReason,
    client: SessionClient,
    auditDetails: { account?: string | null; username: string },
  ) => signIns.recordRefusal({ action: 'signIn.refused', reason, method: 'password', ...client, ...auditDetails });

  api.serve(login, async ({ body, http, requestId }) => {
    const username = normaliseUsername(body.username);
    const client = toSessionClient(http, requestId);
    await throttle.countAttempt('login', username, http.address).catch(async (error: unknown) => {
      await refuseLogin('throttled', client, { username });
      throw error;
    });
    const account = await tables
      .selectFrom('user_account')
      .selectAll()
      .where('username', '=', username)
      .executeTakeFirst();
    const isPasswordRight = await verifyPassword(account?.password_hash, body.password);
    // With an identity provider, only admins may use passwords: a password must not bypass the provider.
    const needsAdmin = body.admin === true || loginType === 'AD';
    const reason = findRefusal(account, isPasswordRight, needsAdmin);
    if (account === undefined || reason !== undefined) {
      await refuseLogin(reason ?? 'accountUnknown', client, { account: account?.uid ?? null, username });
      throw reason === 'accountInactive' ? inactiveUser() : invalidCredentials();
    }
    const hasSecondFactor = (await secondFactors.load(account.uid)) !== undefined;
    if (hasSecondFactor || secondFactors.isRequired(account.user_type)) {
      await throttle.recordSuccess('login', username, http.address);
      http.setHeader('cache-control', 'no-store');
      const step: SignInChallenge['step'] = hasSecondFactor ? 'CODE' : 'ENROL';
      return { challenge: await challenges.create(account), step };
    }
    const openSession = await sessions
      .open(account.uid, account.password_hash, client, (transaction, session) =>
        signIns.record(
          { action: 'signIn.succeeded', account: account.uid, method: 'password', session, ...client },
          transaction,
        ),
      )
      .catch(async (error: unknown) => {
        if (!(error instanceof SessionRefusedError)) throw error;
        await refuseLogin(error.reason, client, { account: account.uid, username });
        throw error.clientError;
      });
    await throttle.recordSuccess('login', username, http.address);
    return reply.write(openSession, http, requestsCookie(http));
  });

  api.serve(renewToken, async ({ body, http, requestId }) => {
    const isInCookie = body.refreshToken === refreshTokenInCookie;
    const client = toSessionClient(http, requestId);
    const openSession = await sessions
      .renew(readRefreshToken(body.refreshToken, http) ?? '', body.username, client)
      .catch(async (error: unknown) => {
        if (!(error instanceof SessionRefusedError)) throw error;
        const { reason, account } = error;
        await signIns.recordRefusal({ action: 'session.renewalRefused', reason, account: account ?? null, ...client });
        throw error.clientError;
      });
    return reply.write(openSession, http, isInCookie);
  });

  api.serve(logout, async ({ body, caller, http, requestId }) => {
    const client = toSessionClient(http, requestId);
    const record: RecordEnd = (transaction, { session, account }) =>
      signIns.record({ action: 'session.ended', account, by: 'logout', session, ...client }, transaction);
    const refreshToken = readRefreshToken(body.refreshToken ?? refreshTokenInCookie, http);
    if (refreshToken !== undefined) await sessions.revokeByToken(refreshToken, record);
    if (caller !== undefined) await sessions.revoke(caller.session, record);
    reply.clear(http);
    return {};
  });
}

/** Returns the reason for which this account may not log in by password. The reply may reveal less. */
function findRefusal(
  account: Pick<AccountRow, 'status' | 'user_type'> | undefined,
  isPasswordRight: boolean,
  needsAdmin: boolean,
): RefusalReason | undefined {
  if (account === undefined) return 'accountUnknown';
  if (!isPasswordRight) return 'passwordWrong';
  if (account.status === 'INACTIVE') return 'accountInactive';
  if (account.status !== 'ACTIVE') return 'accountNotActivated';
  return needsAdmin && !isAdminType(account.user_type) ? 'notAdmin' : undefined;
}

const readRefreshToken = (bodyToken: string, http: CallHttp): string | undefined =>
  bodyToken === refreshTokenInCookie ? http.cookies[cookieNames.refreshToken] : bodyToken;
