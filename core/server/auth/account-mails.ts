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
import { languageOf, type PublicLinks } from './public-links.ts';

/** What somebody without a token asks a code for. `again`: the one that this request asked for last. */
export interface CodeOrder extends Pick<CodeRequest, 'request' | 'asker' | 'passwordHash'> {
  readonly username: string;
  readonly wanted: 'activation' | 'reset' | 'again';
}

interface TimedOrder extends CodeOrder {
  /** When it was asked for. Milliseconds since the epoch. */
  readonly at: number;
}

export interface AccountMailsParts {
  readonly tables: Kysely<AuthTables>;
  readonly clock: Clock;
  readonly codes: OneTimeCodes;
  readonly mailer: Mailer;
  readonly links: PublicLinks;
  readonly product: Pick<Product, 'languages'>;
  /** Milliseconds. */
  readonly invitationLifetime: number;
  /** Asked for when the first mail is ordered. */
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
 * Mails about accounts, as jobs: what was ordered survives a kill, and is tried again while the mail server is away.
 * Whoever orders learns nothing of whether there is such an account, for all that depends on it is done by the job. A
 * code is made when its mail leaves, anew in each attempt: it is never kept in clear.
 */
export class AccountMails {
  readonly #parts: AccountMailsParts;

  constructor(parts: AccountMailsParts) {
    this.#parts = parts;
  }

  /** Before jobs begin to run. */
  register(): void {
    const jobs = this.#parts.jobs();
    jobs.register<TimedOrder>(kinds.code, (run) => this.#sendCode(run), { short: true });
    jobs.register<{ readonly account: string }>(
      kinds.invitation,
      ({ payload }) => {
        const { links, invitationLifetime } = this.#parts;
        return this.#tell(payload.account, ({ name, username }) => ({
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
      ({ payload }) => this.#tell(payload.account, ({ name }) => ({ kind: 'passwordChanged', name })),
      { short: true },
    );
  }

  async orderCode(order: CodeOrder): Promise<void> {
    await this.#parts.jobs().start(kinds.code, { ...order, at: this.#parts.clock.now() }, null);
  }

  /** In the transaction that invites; call `hasten` after the commit. */
  async orderInvitation(transaction: QueryExecutorProvider, account: string): Promise<void> {
    await this.#parts.jobs().start(kinds.invitation, { account }, null, transaction);
  }

  /** In the transaction that changes the password; call `hasten` after the commit. */
  async orderPasswordChanged(transaction: QueryExecutorProvider, account: string): Promise<void> {
    await this.#parts.jobs().start(kinds.passwordChanged, { account }, null, transaction);
  }

  async hasten(): Promise<void> {
    await this.#parts.jobs().look();
  }

  async #tell(uid: string, content: (account: AccountRow) => MailContent): Promise<JobOutcome> {
    const account = await this.#parts.tables
      .selectFrom('user_account')
      .selectAll()
      .where('uid', '=', uid)
      .executeTakeFirst();
    return account === undefined ? sent : this.#send(account, content(account));
  }

  async #sendCode({ id, payload }: JobRun<TimedOrder>): Promise<JobOutcome> {
    const { tables, clock, codes, links } = this.#parts;
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
      const request = account === undefined ? undefined : await this.#requestFor(transaction, account, payload);
      if (account === undefined || request === undefined) return undefined;
      const code = await codes.issue(transaction, key, account.uid, request, id);
      if (code === undefined) return undefined;
      if (request.purpose === 'ACTIVATE')
        await transaction
          .updateTable('user_account')
          .set({ status: 'REGISTERED' })
          .where('uid', '=', account.uid)
          .execute();
      return { account, code, purpose: request.purpose };
    });
    if (made === undefined) return sent;
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

  /** What the account may be sent a code for; undefined: nothing. */
  async #requestFor(
    transaction: Transaction<AuthTables>,
    { uid, status, invited_at }: AccountRow,
    { wanted, request, asker, passwordHash, at }: TimedOrder,
  ): Promise<CodeRequest | undefined> {
    const { clock, codes, invitationLifetime } = this.#parts;
    const asked = { request, asker, requestedAt: new Date(at) };
    if (wanted !== 'activation' && status === 'ACTIVE') return { ...asked, purpose: 'RESET', passwordHash: null };
    if (wanted === 'activation') {
      const open =
        (status === 'INVITED' || status === 'REGISTERED') &&
        invited_at !== null &&
        clock.now() < invited_at.getTime() + invitationLifetime;
      return open ? { ...asked, purpose: 'ACTIVATE', passwordHash } : undefined;
    }
    const last =
      wanted === 'again' && status === 'REGISTERED' ? await codes.last(transaction, uid, request) : undefined;
    return last === undefined ? undefined : { ...asked, purpose: 'ACTIVATE', passwordHash: last.password_hash };
  }

  async #send({ username, preferences }: AccountRow, content: MailContent): Promise<JobOutcome> {
    try {
      await this.#parts.mailer.send({ to: username, language: languageOf(preferences, this.#parts.product), content });
      return sent;
    } catch (error) {
      if (error instanceof MailNotTaken && error.forGood) return { result: 'FAILED', message: error.message };
      throw unavailable('The mail could not be handed over. It is tried again.', error);
    }
  }
}
