import type { Kysely, Transaction } from 'kysely';
import { routes, type Product } from '#core';
import { activate, register, requestReset, resendCode, resetPassword } from '#core/api';
import type { AccessChanges } from '../access/access-changes.ts';
import type { AccountRow } from '../access/access-tables.ts';
import { normaliseUsername } from '../access/account.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Api } from '../kernel/server-plugin.ts';
import { invalidCode } from '../kernel/server-error.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { AuthTables, CodePurpose } from './auth-tables.ts';
import type { OneTimeCodes } from './one-time-codes.ts';
import { hashPassword } from './password-hash.ts';
import { languageOf, type PublicLinks } from './public-links.ts';
import type { QuietWork } from './quiet-work.ts';
import { revokeSessionsOfAccount } from './sessions.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

export interface RegistrationParts {
  readonly tables: Kysely<AuthTables>;
  readonly clock: Clock;
  readonly codes: OneTimeCodes;
  readonly throttle: SignInThrottle;
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

/**
 * Registration, activation and reset: calls of people without a token. What depends on whether there is such an account happens after the answer (`QuietWork`),
 * so that neither words nor time tell.
 *
 * A password chosen at registration belongs to the code that is mailed for it and becomes the account's with that code: one that somebody else chose does not come along.
 */
export function serveRegistration(api: Api, parts: RegistrationParts): void {
  const { tables, clock, codes, throttle, quiet, changes } = parts;

  /** Runs `work` with the account's row held, or not at all where there is no such account. */
  const withAccount = async <T>(username: string, work: (transaction: Transaction<AuthTables>, account: AccountRow) => Promise<T>): Promise<{ readonly account: AccountRow; readonly result: T } | undefined> =>
    tables.transaction().execute(async (transaction) => {
      const account = await transaction.selectFrom('user_account').selectAll().where('username', '=', normaliseUsername(username)).forUpdate().executeTakeFirst();
      return account === undefined ? undefined : { account, result: await work(transaction, account) };
    });

  /** Decides in the transaction which code to issue, and mails it after the commit. */
  const sendCode = async (
    username: string,
    choose: (transaction: Transaction<AuthTables>, account: AccountRow) => Promise<{ readonly purpose: CodePurpose; readonly passwordHash: string | null } | undefined>,
  ): Promise<void> => {
    const keys = await codes.keys();
    const done = await withAccount(username, async (transaction, account) => {
      const choice = await choose(transaction, account);
      if (choice === undefined) return undefined;
      const code = await codes.issue(transaction, keys, account.uid, choice.purpose, choice.passwordHash);
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
    { username, otp, address }: { readonly username: string; readonly otp: string; readonly address: string },
    purpose: CodePurpose,
    accept: (transaction: Transaction<AuthTables>, account: AccountRow, passwordHash: string | null) => Promise<void>,
  ): Promise<AccountRow> => {
    await throttle.begin('code', normaliseUsername(username), address);
    const keys = await codes.keys();
    const expected = purpose === 'ACTIVATE' ? 'REGISTERED' : 'ACTIVE';
    const done = await withAccount(username, async (transaction, account) => {
      if (account.status !== expected) return false;
      const row = await codes.redeem(transaction, keys, account.uid, purpose, otp);
      if (row === undefined) return false;
      await accept(transaction, account, row.password_hash);
      return true;
    });
    if (done?.result !== true) throw invalidCode();
    await throttle.succeeded('code', normaliseUsername(username), address);
    await changes.announce({ kind: 'account', account: done.account.uid });
    return done.account;
  };

  api.serve(register, ({ body }) => {
    quiet.run('register', async () => {
      const passwordHash = await hashPassword(body.password);
      await sendCode(body.username, async (_, { status, invited_at }) => {
        const open = (status === 'INVITED' || status === 'REGISTERED') && invited_at !== null && clock.now() < invited_at.getTime() + parts.invitationLifetime;
        return open ? { purpose: 'ACTIVATE', passwordHash } : undefined;
      });
    });
    return {};
  });

  api.serve(activate, async ({ body, http }) => {
    const account = await redeem({ ...body, address: http.address }, 'ACTIVATE', async (transaction, { uid }, passwordHash) => {
      await transaction
        .updateTable('user_account')
        .set({ status: 'ACTIVE', password_hash: passwordHash, activated_at: new Date(clock.now()) })
        .where('uid', '=', uid)
        .execute();
    });
    await parts.audit.record({ actor: account.uid, action: 'account.activated', subject: account.uid });
    return {};
  });

  api.serve(requestReset, ({ query }) => {
    quiet.run('send a reset code', () => sendCode(query.username, async (_, { status }) => (status === 'ACTIVE' ? { purpose: 'RESET', passwordHash: null } : undefined)));
    return {};
  });

  api.serve(resetPassword, async ({ body, http }) => {
    const account = await redeem({ ...body, address: http.address }, 'RESET', async (transaction, { uid }) => {
      const passwordHash = await hashPassword(body.password);
      await transaction.updateTable('user_account').set({ password_hash: passwordHash }).where('uid', '=', uid).execute();
      await revokeSessionsOfAccount(transaction, clock.now(), uid);
    });
    await parts.audit.record({ actor: account.uid, action: 'account.passwordReset', subject: account.uid });
    quiet.run('tell of the new password', () =>
      parts.mailer.send({ to: account.username, language: languageOf(account.preferences, parts.product), content: { kind: 'passwordChanged', name: account.name } }),
    );
    return {};
  });

  api.serve(resendCode, ({ query }) => {
    quiet.run('send a code anew', () =>
      sendCode(query.username, async (transaction, { uid, status }) => {
        const purpose = status === 'REGISTERED' ? 'ACTIVATE' : status === 'ACTIVE' ? 'RESET' : undefined;
        if (purpose === undefined) return undefined;
        const last = await codes.last(transaction, uid, purpose, clock.now() - day);
        return last === undefined ? undefined : { purpose, passwordHash: last.password_hash };
      }),
    );
    return {};
  });
}
