import type { Kysely, QueryExecutorProvider, Transaction } from 'kysely';
import type { Logger } from 'pino';
import { routes, token, type Product } from '#core';
import type { AccountRow } from '../access/access-tables.ts';
import { normaliseUsername } from '../access/account.ts';
import type { JobOutcome, JobRun, Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../kernel/clock.ts';
import type { ServerConfig } from '../kernel/server-config.ts';
import { unavailable } from '../kernel/server-error.ts';
import { MailRejectedError, type MailContent, type Mailer } from '../mail/mailer.ts';
import type { AuthTables } from './auth-tables.ts';
import type { CodeRequest, OneTimeCodes } from './one-time-codes.ts';
import { chooseLanguage, type PublicLinks } from './public-links.ts';
import type { RefusalReason, SignInAudit } from './sign-in-audit.ts';
import { describeProviders } from './sign-on/describe-providers.ts';

/** A request for a mail with a code, by a client without a token. Job payloads store these field names. */
export interface CodeMailRequest extends Pick<CodeRequest, 'request' | 'clientAddress' | 'passwordHash'> {
  readonly username: string;
  /** The requested mail. `again` is another mail for the activation or reset that the client has begun. */
  readonly mailKind: 'activation' | 'reset' | 'again';
  /** Id of the HTTP request (`Call.requestId`). */
  readonly requestId: string;
}

interface TimedCodeMailRequest extends CodeMailRequest {
  /** When the code was requested, in milliseconds since the epoch. */
  readonly at: number;
}

export interface AccountMailsOptions {
  readonly tables: Kysely<AuthTables>;
  readonly clock: Clock;
  readonly codes: OneTimeCodes;
  readonly mailer: Mailer;
  readonly links: PublicLinks;
  readonly signIns: SignInAudit;
  readonly product: Pick<Product, 'languages' | 'login'>;
  readonly signOn: ServerConfig['signOn'];
  /** Milliseconds. */
  readonly invitationLifetimeMs: number;
  /** A function, because the jobs are created after this object. */
  readonly getJobs: () => Jobs;
  readonly log: Logger;
}

/** Sends invitation mails to existing accounts. */
export interface Invitations {
  /** Must be called in the transaction that invites the people. Call `sendPending` after the commit. */
  enqueue(transaction: QueryExecutorProvider, accounts: readonly string[]): Promise<void>;
  sendPending(): Promise<void>;
}
export const Invitations = token<Invitations>('core.Invitations');

const jobKinds = {
  code: 'core.mail-code',
  invitation: 'core.mail-invitation',
  invitations: 'core.mail-invitations',
  passwordChanged: 'core.mail-password-changed',
  secondFactorOff: 'core.mail-second-factor-off',
} as const;
const dayMs = 24 * 60 * 60_000;
const success: JobOutcome = { result: 'SUCCESS' };

/**
 * Sends account mails as jobs, which survive a restart and are retried while the mail server is down. Only the job
 * looks the account up, so that callers cannot learn whether it exists. Each attempt creates a new code, because
 * no code is stored in clear text.
 */
export class AccountMails implements Invitations {
  readonly #options: AccountMailsOptions;

  constructor(options: AccountMailsOptions) {
    this.#options = options;
  }

  /** Registers the jobs. Must be called before jobs run. */
  register(): void {
    const jobs = this.#options.getJobs();
    jobs.register<TimedCodeMailRequest>(jobKinds.code, (run) => this.#sendCode(run), { isShort: true });
    jobs.register<{ readonly account: string }>(jobKinds.invitation, ({ payload }) => this.#invite(payload.account), {
      isShort: true,
    });
    jobs.register<{ readonly accounts: readonly string[] }>(jobKinds.invitations, (run) => this.#inviteAll(run));
    jobs.register<{ readonly account: string }>(
      jobKinds.passwordChanged,
      ({ payload }) => this.#notify(payload.account, ({ name }) => ({ kind: 'passwordChanged', name })),
      { isShort: true },
    );
    jobs.register<{ readonly account: string }>(
      jobKinds.secondFactorOff,
      ({ payload }) => this.#notify(payload.account, ({ name }) => ({ kind: 'secondFactorOff', name })),
      { isShort: true },
    );
  }

  async enqueueCode(request: CodeMailRequest): Promise<void> {
    await this.#options.getJobs().start(jobKinds.code, { ...request, at: this.#options.clock.now() }, null);
  }

  /** Must be called in the transaction that invites the person. Call `sendPending` after the commit. */
  async enqueueInvitation(transaction: QueryExecutorProvider, account: string): Promise<void> {
    await this.#options.getJobs().start(jobKinds.invitation, { account }, null, transaction);
  }

  /** Must be called in the transaction that changes the password. Call `sendPending` after the commit. */
  async enqueuePasswordChanged(transaction: QueryExecutorProvider, account: string): Promise<void> {
    await this.#options.getJobs().start(jobKinds.passwordChanged, { account }, null, transaction);
  }

  /** Must be called in the transaction that removes the second factor. Call `sendPending` after the commit. */
  async enqueueSecondFactorOff(transaction: QueryExecutorProvider, account: string): Promise<void> {
    await this.#options.getJobs().start(jobKinds.secondFactorOff, { account }, null, transaction);
  }

  /** Does the same as `enqueueInvitation` for many accounts, with a single job. */
  async enqueue(transaction: QueryExecutorProvider, accounts: readonly string[]): Promise<void> {
    if (accounts.length === 0) return;
    await this.#options.getJobs().start(jobKinds.invitations, { accounts }, null, transaction);
  }

  /** Starts the enqueued jobs. Never throws: the next poll for jobs starts those that could not be started now. */
  async sendPending(): Promise<void> {
    const { getJobs, log } = this.#options;
    await getJobs()
      .notifyRunners()
      .catch((error: unknown) =>
        log.warn({ err: error }, 'Enqueued mails could not be started at once. The next poll for jobs starts them.'),
      );
  }

  #invite(account: string): Promise<JobOutcome> {
    const { links, product, signOn, invitationLifetimeMs } = this.#options;
    return this.#notify(account, (row) => {
      const { name, username } = row;
      const provider = describeProviders(product.login, signOn, row);
      if (provider !== undefined)
        return { kind: 'invitationSignOn', name, address: links.createLink(routes.login), provider };
      return {
        kind: 'invitation',
        name,
        address: links.createLink(routes.register, username),
        days: Math.max(1, Math.round(invitationLifetimeMs / dayMs)),
      };
    });
  }

  /** Resumes after the invitations that earlier attempts sent. Continues after a rejected address. */
  async #inviteAll(run: JobRun<{ readonly accounts: readonly string[] }>): Promise<JobOutcome> {
    const { accounts } = run.payload;
    let outcome = success;
    for (let index = Number(run.cursor ?? 0); index < accounts.length; index++) {
      run.signal.throwIfAborted();
      const mailOutcome = await this.#invite(accounts[index] ?? '');
      if (mailOutcome.result !== 'SUCCESS') outcome = { ...mailOutcome, result: 'WARNING' };
      await run.progress({ done: index + 1, total: accounts.length, cursor: index + 1 });
    }
    return outcome;
  }

  async #notify(uid: string, buildContent: (account: AccountRow) => MailContent): Promise<JobOutcome> {
    const account = await this.#options.tables
      .selectFrom('user_account')
      .selectAll()
      .where('uid', '=', uid)
      .executeTakeFirst();
    return account === undefined ? success : this.#send(account, buildContent(account));
  }

  async #sendCode({ id, payload }: JobRun<TimedCodeMailRequest>): Promise<JobOutcome> {
    const { tables, clock, codes, links, signIns } = this.#options;
    const auditDetails = { mailKind: payload.mailKind, address: payload.clientAddress, request: payload.requestId };
    if (clock.now() >= payload.at + codes.lifetimeMs)
      return { result: 'WARNING', message: 'The code expired before its mail could be sent.' };
    const key = await codes.getKey();
    const result = await tables.transaction().execute(async (transaction) => {
      const account = await transaction
        .selectFrom('user_account')
        .selectAll()
        .where('username', '=', normaliseUsername(payload.username))
        .forUpdate()
        .executeTakeFirst();
      if (account === undefined) return { refused: 'accountUnknown', uid: null } as const;
      const request = await this.#buildCodeRequest(transaction, account, payload);
      if ('refused' in request) return { refused: request.refused, uid: account.uid } as const;
      const issuedCode = await codes.issue(transaction, key, account.uid, request, id);
      if ('refused' in issuedCode) return { refused: issuedCode.refused, uid: account.uid } as const;
      const { code } = issuedCode;
      if (request.purpose === 'ACTIVATE')
        await transaction
          .updateTable('user_account')
          .set({ status: 'REGISTERED' })
          .where('uid', '=', account.uid)
          .execute();
      await signIns.record(
        { action: 'code.issued', account: account.uid, purpose: request.purpose, ...auditDetails },
        transaction,
      );
      return { account, code, purpose: request.purpose };
    });
    if ('refused' in result) {
      const { refused: reason, uid } = result;
      const { username } = payload;
      await signIns.recordRefusal({
        action: 'code.notIssued',
        reason,
        account: uid ?? null,
        username,
        ...auditDetails,
      });
      return success;
    }
    const { account, code, purpose } = result;
    const isActivation = purpose === 'ACTIVATE';
    const url = links.createLink(isActivation ? routes.activate : routes.resetPassword, account.username);
    return this.#send(account, {
      kind: isActivation ? 'activation' : 'reset',
      name: account.name,
      code,
      address: url,
      minutes: codes.lifetimeMinutes,
    });
  }

  /** Returns the code request of the account, or the reason for which no code may be sent. */
  async #buildCodeRequest(
    transaction: Transaction<AuthTables>,
    { uid, status, invited_at }: AccountRow,
    { mailKind, request, clientAddress, passwordHash, at }: TimedCodeMailRequest,
  ): Promise<CodeRequest | { readonly refused: RefusalReason }> {
    const { clock, codes, invitationLifetimeMs } = this.#options;
    const codeRequest = { request, clientAddress, requestedAt: new Date(at) };
    if (mailKind !== 'activation' && status === 'ACTIVE')
      return { ...codeRequest, purpose: 'RESET', passwordHash: null };
    if (mailKind === 'activation') {
      if ((status !== 'INVITED' && status !== 'REGISTERED') || invited_at === null)
        return { refused: toRefusalReason(status) };
      if (clock.now() >= invited_at.getTime() + invitationLifetimeMs) return { refused: 'invitationExpired' };
      return { ...codeRequest, purpose: 'ACTIVATE', passwordHash };
    }
    const lastCode =
      mailKind === 'again' && status === 'REGISTERED' ? await codes.findLast(transaction, uid, request) : undefined;
    if (lastCode === undefined) return { refused: status === 'REGISTERED' ? 'otherBrowser' : toRefusalReason(status) };
    return { ...codeRequest, purpose: 'ACTIVATE', passwordHash: lastCode.password_hash };
  }

  async #send({ username, preferences }: AccountRow, content: MailContent): Promise<JobOutcome> {
    try {
      await this.#options.mailer.send({
        to: username,
        language: chooseLanguage(preferences, this.#options.product),
        content,
      });
      return success;
    } catch (error) {
      if (error instanceof MailRejectedError && error.isPermanent) return { result: 'FAILED', message: error.message };
      throw unavailable('The mail could not be sent. The server will try again.', error);
    }
  }
}

/** Returns the reason for which an account with this status gets no code of the requested kind. */
const toRefusalReason = (status: AccountRow['status']): RefusalReason =>
  status === 'INACTIVE' ? 'accountInactive' : status === 'ACTIVE' ? 'stateUnfit' : 'accountNotActivated';
