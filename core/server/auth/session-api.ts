import type { Kysely } from 'kysely';
import { cookieNames, refreshTokenInCookie, type LoginType } from '#core';
import { login, logout, renewToken } from '#core/api';
import { isAdminType, normaliseUsername } from '../access/account.ts';
import type { Api, CallHttp } from '../kernel/server-plugin.ts';
import { inactiveUser, invalidCredentials } from '../kernel/server-error.ts';
import type { AuthTables } from './auth-tables.ts';
import { verifyPassword } from './password-hash.ts';
import { asksForCookie, type SessionReply } from './session-reply.ts';
import type { Sessions } from './sessions.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

/** Login, renewal and logout. */
export function serveSessions(
  api: Api,
  {
    tables,
    sessions,
    reply,
    throttle,
    loginType,
  }: {
    readonly tables: Kysely<AuthTables>;
    readonly sessions: Sessions;
    readonly reply: SessionReply;
    readonly throttle: SignInThrottle;
    readonly loginType: LoginType;
  },
): void {
  api.serve(login, async ({ body, http }) => {
    const username = normaliseUsername(body.username);
    await throttle.begin('login', username, http.address);
    const account = await tables
      .selectFrom('user_account')
      .selectAll()
      .where('username', '=', username)
      .executeTakeFirst();
    const right = await verifyPassword(account?.password_hash, body.password);
    if (account === undefined || !right) throw invalidCredentials();
    if (account.status === 'INACTIVE') throw inactiveUser();
    // Where people sign in through the customer's identity provider, a password is the admins' alone: it must not lead
    // around the provider.
    const needsAdmin = body.admin === true || loginType === 'AD';
    if (account.status !== 'ACTIVE' || (needsAdmin && !isAdminType(account.user_type))) throw invalidCredentials();
    const open = await sessions.open(account.uid, account.password_hash);
    await throttle.succeeded('login', username, http.address);
    return reply.reply(open, http, asksForCookie(http));
  });

  api.serve(renewToken, async ({ body, http }) => {
    const inCookie = body.refreshToken === refreshTokenInCookie;
    const open = await sessions.renew(presentedToken(body.refreshToken, http) ?? '', body.username);
    return reply.reply(open, http, inCookie);
  });

  api.serve(logout, async ({ body, caller, http }) => {
    const refreshToken = presentedToken(body.refreshToken ?? refreshTokenInCookie, http);
    if (refreshToken !== undefined) await sessions.revokeByToken(refreshToken);
    if (caller !== undefined) await sessions.revoke(caller.session);
    reply.clear(http);
    return {};
  });
}

const presentedToken = (inBody: string, http: CallHttp): string | undefined =>
  inBody === refreshTokenInCookie ? http.cookies[cookieNames.refreshToken] : inBody;
