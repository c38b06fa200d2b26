import type { Kysely, Transaction } from 'kysely';
import { cookieNames, routes, type Product } from '#core';
import { activate, register, requestReset, resendCode, resetPassword } from '#core/api';
import type { AccessChanges } from '../access/access-changes.ts';
import type { AccountRow } from '../access/access-tables.ts';
import { normaliseUsername } from '../access/account.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Api, CallHttp } from '../kernel/server-plugin.ts';
import { invalidCode } from '../kernel/server-error.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { AuthTables, CodePurpose } from './auth-tables.ts';
import { newRequestSecret, requestOf, type CodeRequest, type OneTimeCodes } from './one-time-codes.ts';
import { hashPassword } from './password-hash.ts';
import { languageOf, type PublicLinks } from './public-links.ts';
import type { QuietWork } from './quiet-work.ts';
import { revokeSessionsOfAccount } from './sessions.ts';

export interface RegistrationParts {
  readonly tables: Kysely<AuthTables>;
  readonly clock: Clock;
  readonly codes: OneTimeCodes;
  readonly quiet: QuietWork;
  readonly mailer: Mailer;
  readonly links: PublicLinks;
  readonly product: Product;
  readonly audit: AuditLog;
  readonly changes: AccessChanges;
  /** Milliseconds. */
  readonly invitationLifetime: number;
}

const day = 24 * 60 * 60 * 1000;
/** The secret of a request goes to the calls of this file only, and lasts as long as a code may be sent anew. */
const requestCookie = { path: '/auth/api/user', httpOnly: true, maxAgeSeconds: day / 1000 } as const;

/**
 * Registration, activation and reset: calls of people without a token. What depends on whether there is such an account happens after the answer (`QuietWork`),
 * so that neither words nor time tell.
 *
 * Who registers or asks for a code gets a cookie with a secret, and the code that is mailed works with that cookie alone (docs/decisions/0015). So the password that a code makes the
 * account's is always one that was chosen in the same browser, whoever else registers the same invited person.
 */
export function serveRegistration(api: Api, parts: RegistrationParts): void {
  const { tables, clock, codes, quiet, changes } = parts;

  /** Runs `work` with the account's row held, or not at all where there is no such account. */
  const withAccount = async <T>(username: string, work: (transaction: Transaction<AuthTables>, account: AccountRow) => Promise<T>): Promise<{ readonly account: AccountRow; readonly result: T } | undefined> =>
    tables.transaction().execute(async (transaction) => {
      const account = await transaction.selectFrom('user_account').selectAll().where('username', '=', normaliseUsername(username)).forUpdate().executeTakeFirst();
      return account === undefined ? undefined : { account, result: await work(transaction, account) };
    });

  /** A request of its own for this client; whatever it asked for before is worth nothing from now on. */
  const newRequest = (http: CallHttp): string => {
    const secret = newRequestSecret();
    http.setCookie(cookieNames.codeRequest, secret, requestCookie);
    return requestOf(secret);
  };

  /** Decides in the transaction which code to issue, and mails it after the commit. */
  const sendCode = async (username: string, choose: (transaction: Transaction<AuthTables>, account: AccountRow) => Promise<CodeRequest | undefined>): Promise<void> => {
    const keys = await codes.keys();
    const done = await withAccount(username, async (transaction, account) => {
      const choice = await choose(transaction, account);
      if (choice === undefined) return undefined;
      const code = await codes.issue(transaction, keys, account.uid, choice);
      if (code === undefined) return undefined;
      if (choice.purpose === 'ACTIVATE') await transaction.updateTable('user_account').set({ status: 'REGISTERED' }).where('uid', '=', account.uid).execute();
      return { code, purpose: choice.purpose };
    });
    if (done?.result === undefined) return;
    const { account, result } = done;
    const activates = result.purpose === 'ACTIVATE';
    await parts.mailer.send({
      to: account.username,
      language: languageOf(account.preferences, parts.product),
      content: {
        kind: activates ? 'activation' : 'reset',
        name: account.name,
        code: result.code,
        address: parts.links.to(activates ? routes.activate : routes.resetPassword, account.username),
        minutes: codes.lifetimeMinutes,
      },
    });
  };

  /** The account whose code this is; the code is used up, and `accept` has changed the account. Throws `invalidCode`, also where there is no such account. */
  const redeem = async (
    { username, otp }: { readonly username: string; readonly otp: string },
    http: CallHttp,
    purpose: CodePurpose,
    accept: (transaction: Transaction<AuthTables>, account: AccountRow, passwordHash: string | null) => Promise<void>,
  ): Promise<AccountRow> => {
    const secret = http.cookies[cookieNames.codeRequest];
    if (secret === undefined) throw invalidCode();
    const keys = await codes.keys();
    const expected = purpose === 'ACTIVATE' ? 'REGISTERED' : 'ACTIVE';
    const done = await withAccount(username, async (transaction, account) => {
      if (account.status !== expected) return false;
      const row = await codes.redeem(transaction, keys, account.uid, purpose, requestOf(secret), otp);
      if (row === undefined) return false;
      await accept(transaction, account, row.password_hash);
      return true;
    });
    if (done?.result !== true) throw invalidCode();
    http.clearCookie(cookieNames.codeRequest, requestCookie);
    await changes.announce({ kind: 'account', account: done.account.uid });
    return done.account;
  };

  api.serve(register, ({ body, http }) => {
    const request = newRequest(http);
    quiet.run('register', async () => {
      const passwordHash = await hashPassword(body.password);
      await sendCode(body.username, async (_, { status, invited_at }) => {
        const open = (status === 'INVITED' || status === 'REGISTERED') && invited_at !== null && clock.now() < invited_at.getTime() + parts.invitationLifetime;
        return open ? { purpose: 'ACTIVATE', request, asker: http.address, passwordHash } : undefined;
      });
    });
    return {};
  });

  api.serve(activate, async ({ body, http, requestId }) => {
    await redeem(body, http, 'ACTIVATE', async (transaction, { uid }, passwordHash) => {
      await transaction
        .updateTable('user_account')
        .set({ status: 'ACTIVE', password_hash: passwordHash, activated_at: new Date(clock.now()) })
        .where('uid', '=', uid)
        .execute();
      await parts.audit.record({ actor: uid, action: 'account.activated', subject: uid, request: requestId }, transaction);
    });
    return {};
  });

  api.serve(requestReset, ({ query, http }) => {
    const request = newRequest(http);
    quiet.run('send a reset code', () =>
      sendCode(query.username, async (_, { status }) => (status === 'ACTIVE' ? { purpose: 'RESET', request, asker: http.address, passwordHash: null } : undefined)),
    );
    return {};
  });

  api.serve(resetPassword, async ({ body, http, requestId }) => {
    const account = await redeem(body, http, 'RESET', async (transaction, { uid }) => {
      const passwordHash = await hashPassword(body.password);
      await transaction.updateTable('user_account').set({ password_hash: passwordHash }).where('uid', '=', uid).execute();
      await revokeSessionsOfAccount(transaction, clock.now(), uid);
      await parts.audit.record({ actor: uid, action: 'account.passwordReset', subject: uid, request: requestId }, transaction);
    });
    quiet.run('tell of the new password', () =>
      parts.mailer.send({ to: account.username, language: languageOf(account.preferences, parts.product), content: { kind: 'passwordChanged', name: account.name } }),
    );
    return {};
  });

  api.serve(resendCode, ({ query, http }) => {
    const secret = http.cookies[cookieNames.codeRequest];
    const request = secret === undefined ? newRequest(http) : requestOf(secret);
    quiet.run('send a code anew', () =>
      sendCode(query.username, async (transaction, { uid, status }) => {
        const asked = { request, asker: http.address };
        if (status === 'ACTIVE') return { purpose: 'RESET', ...asked, passwordHash: null };
        const last = status === 'REGISTERED' ? await codes.last(transaction, uid, request, clock.now() - day) : undefined;
        return last === undefined ? undefined : { purpose: 'ACTIVATE', ...asked, passwordHash: last.password_hash };
      }),
    );
    return {};
  });
}
