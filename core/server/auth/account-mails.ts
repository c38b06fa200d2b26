import type { Kysely, QueryExecutorProvider, Transaction } from 'kysely';
import { routes, type Product } from '#core';
import type { AccountRow } from '../access/access-tables.ts';
import { normaliseUsername } from '../access/account.ts';
import type { JobOutcome, JobRun, Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../kernel/clock.ts';
import { unavailable } from '../kernel/server-error.ts';
import { MailNotTaken, type MailContent, type Mailer } from '../mail/mailer.ts';
import type { AuthTables } from './auth-tables.ts';
import type { CodeRequest, OneTimeCodes } from './one-time-codes.ts';
import { chooseLanguage, type PublicLinks } from './public-links.ts';
import type { RefusalReason, SignInAudit } from './sign-in-audit.ts';

/** A request for a code by a client without a token. `again`: resends the last code of this request. */
export interface CodeOrder extends Pick<CodeRequest, 'request' | 'asker' | 'passwordHash'> {
  readonly username: string;
  readonly wanted: 'activation' | 'reset' | 'again';
  /** Id of the request. */
  readonly requestId: string;
}

interface TimedOrder extends CodeOrder {
  /** When the code was requested, in milliseconds since the epoch. */
  readonly at: number;
}

export interface AccountMailsParts {
  readonly tables: Kysely<AuthTables>;
  readonly clock: Clock;
  readonly codes: OneTimeCodes;
  readonly mailer: Mailer;
  readonly links: PublicLinks;
  readonly signIns: SignInAudit;
  readonly product: Pick<Product, 'languages'>;
  /** Milliseconds. */
  readonly invitationLifetime: number;
  /** Called when the first mail is ordered. */
  readonly jobs: () => Jobs;
}

const kinds = {
  code: 'core.mail-code',
  invitation: 'core.mail-invitation',
  passwordChanged: 'core.mail-password-changed',
} as const;
const day = 24 * 60 * 60_000;
const sent: JobOutcome = { result: 'SUCCESS' };

/**
 * Sends account mails as jobs, which survive a restart and are retried while the mail server is down. Only the job
 * looks the account up, so that callers cannot learn whether it exists. Each attempt creates a new code: no code is
 * stored in clear text.
 */
export class AccountMails {
  readonly #parts: AccountMailsParts;

  constructor(parts: AccountMailsParts) {
    this.#parts = parts;
  }

  /** Call it before jobs run. */
  register(): void {
    const jobs = this.#parts.jobs();
    jobs.register<TimedOrder>(kinds.code, (run) => this.#sendCode(run), { short: true });
    jobs.register<{ readonly account: string }>(
      kinds.invitation,
      ({ payload }) => {
        const { links, invitationLifetime } = this.#parts;
        return this.#notify(payload.account, ({ name, username }) => ({
          kind: 'invitation',
          name,
          address: links.to(routes.register, username),
          days: Math.max(1, Math.round(invitationLifetime / day)),
        }));
      },
      { short: true },
    );
    jobs.register<{ readonly account: string }>(
      kinds.passwordChanged,
      ({ payload }) => this.#notify(payload.account, ({ name }) => ({ kind: 'passwordChanged', name })),
      { short: true },
    );
  }

  async orderCode(order: CodeOrder): Promise<void> {
    await this.#parts.jobs().start(kinds.code, { ...order, at: this.#parts.clock.now() }, null);
  }

  /** Call it in the transaction of the invitation, and `hasten` after the commit. */
  async orderInvitation(transaction: QueryExecutorProvider, account: string): Promise<void> {
    await this.#parts.jobs().start(kinds.invitation, { account }, null, transaction);
  }

  /** Call it in the transaction that changes the password, and `hasten` after the commit. */
  async orderPasswordChanged(transaction: QueryExecutorProvider, account: string): Promise<void> {
    await this.#parts.jobs().start(kinds.passwordChanged, { account }, null, transaction);
  }

  async resendNow(): Promise<void> {
    await this.#parts.jobs().look();
  }

  async #notify(uid: string, content: (account: AccountRow) => MailContent): Promise<JobOutcome> {
    const account = await this.#parts.tables
      .selectFrom('user_account')
      .selectAll()
      .where('uid', '=', uid)
      .executeTakeFirst();
    return account === undefined ? sent : this.#send(account, content(account));
  }

  async #sendCode({ id, payload }: JobRun<TimedOrder>): Promise<JobOutcome> {
    const { tables, clock, codes, links, signIns } = this.#parts;
    const facts = { wanted: payload.wanted, address: payload.asker, request: payload.requestId };
    if (clock.now() >= payload.at + codes.lifetime)
      return { result: 'WARNING', message: 'Nobody waits for this code any more.' };
    const key = await codes.key();
    const made = await tables.transaction().execute(async (transaction) => {
      const account = await transaction
        .selectFrom('user_account')
        .selectAll()
        .where('username', '=', normaliseUsername(payload.username))
        .forUpdate()
        .executeTakeFirst();
      if (account === undefined) return { refused: 'accountUnknown', uid: null } as const;
      const request = await this.#requestFor(transaction, account, payload);
      if ('refused' in request) return { refused: request.refused, uid: account.uid } as const;
      const issued = await codes.issue(transaction, key, account.uid, request, id);
      if ('refused' in issued) return { refused: issued.refused, uid: account.uid } as const;
      const { code } = issued;
      if (request.purpose === 'ACTIVATE')
        await transaction
          .updateTable('user_account')
          .set({ status: 'REGISTERED' })
          .where('uid', '=', account.uid)
          .execute();
      await signIns.record(
        { deed: 'code.issued', account: account.uid, purpose: request.purpose, ...facts },
        transaction,
      );
      return { account, code, purpose: request.purpose };
    });
    if ('refused' in made) {
      const { refused: reason, uid } = made;
      const { username } = payload;
      await signIns.recordRefusal({ deed: 'code.notIssued', reason, account: uid ?? null, username, ...facts });
      return sent;
    }
    const { account, code, purpose } = made;
    const activates = purpose === 'ACTIVATE';
    const address = links.to(activates ? routes.activate : routes.resetPassword, account.username);
    return this.#send(account, {
      kind: activates ? 'activation' : 'reset',
      name: account.name,
      code,
      address,
      minutes: codes.lifetimeMinutes,
    });
  }

  /** The code request of the account, or why no code may be sent. */
  async #requestFor(
    transaction: Transaction<AuthTables>,
    { uid, status, invited_at }: AccountRow,
    { wanted, request, asker, passwordHash, at }: TimedOrder,
  ): Promise<CodeRequest | { readonly refused: RefusalReason }> {
    const { clock, codes, invitationLifetime } = this.#parts;
    const codeRequest = { request, asker, requestedAt: new Date(at) };
    if (wanted !== 'activation' && status === 'ACTIVE') return { ...codeRequest, purpose: 'RESET', passwordHash: null };
    if (wanted === 'activation') {
      if ((status !== 'INVITED' && status !== 'REGISTERED') || invited_at === null)
        return { refused: toRefusal(status) };
      if (clock.now() >= invited_at.getTime() + invitationLifetime) return { refused: 'invitationExpired' };
      return { ...codeRequest, purpose: 'ACTIVATE', passwordHash };
    }
    const last =
      wanted === 'again' && status === 'REGISTERED' ? await codes.last(transaction, uid, request) : undefined;
    if (last === undefined) return { refused: status === 'REGISTERED' ? 'otherBrowser' : toRefusal(status) };
    return { ...codeRequest, purpose: 'ACTIVATE', passwordHash: last.password_hash };
  }

  async #send({ username, preferences }: AccountRow, content: MailContent): Promise<JobOutcome> {
    try {
      await this.#parts.mailer.send({
        to: username,
        language: chooseLanguage(preferences, this.#parts.product),
        content,
      });
      return sent;
    } catch (error) {
      if (error instanceof MailNotTaken && error.forGood) return { result: 'FAILED', message: error.message };
      throw unavailable('The mail could not be handed over. It is tried again.', error);
    }
  }
}

/** Why an account with this status gets no code of the requested kind. */
const toRefusal = (status: AccountRow['status']): RefusalReason =>
  status === 'INACTIVE' ? 'accountInactive' : status === 'ACTIVE' ? 'stateUnfit' : 'accountNotActivated';
