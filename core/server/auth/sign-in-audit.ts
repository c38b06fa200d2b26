import { createHmac } from 'node:crypto';
import type { Kysely, QueryExecutorProvider } from 'kysely';
import type { Logger } from 'pino';
import { normaliseUsername } from '../access/account.ts';
import type { AuditLog, AuditOrigin } from '../audit/audit-log.ts';
import { toNetwork } from '../kernel/to-network.ts';
import type { Clock } from '../kernel/clock.ts';
import type { AuthTables } from './auth-tables.ts';
import type { KeyRing } from './key-ring.ts';
import { RefusalWindow, type RefusalSummary } from './refusal-window.ts';

export type SignInAction =
  | 'signIn.succeeded'
  | 'session.ended'
  | 'code.issued'
  | 'code.used'
  | 'account.identityLinked'
  | 'secondFactor.enrolled'
  | 'secondFactor.turnedOff'
  | 'secondFactor.recoveryCodeUsed'
  | 'secondFactor.recoveryCodesRenewed';

export type RefusedAction =
  | 'signIn.refused'
  | 'session.renewalRefused'
  | 'code.notIssued'
  | 'code.refused'
  | 'password.refused'
  | 'secondFactor.refused';

export const refusalReasons = [
  'accountInactive',
  'accountLinkedToAnotherIdentity',
  'accountNotActivated',
  'accountUnknown',
  'challengeOver',
  'codeExpiredOrUsed',
  'codeWrong',
  'emailNotVerified',
  'invitationExpired',
  'mailDomainOfAnotherProvider',
  'notAdmin',
  'otherBrowser',
  'otherPerson',
  'passwordChanged',
  'passwordWrong',
  'providerRefused',
  'providerUnavailable',
  'sessionOver',
  'signOnNotStarted',
  'stateUnfit',
  'throttled',
  'tokenReused',
  'tokenUnknown',
  'tooManyCodes',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

interface EventDetails {
  /** Network address of the client. */
  readonly address: string;
  readonly request?: string | undefined;
  readonly device?: string;
  /** `password`, or the id of the identity provider. */
  readonly method?: string;
  readonly by?: AuditOrigin;
  readonly [detail: string]: unknown;
}

export interface SignInEvent extends EventDetails {
  readonly action: SignInAction;
  /** uid. */
  readonly account: string;
}

export interface RefusalEvent extends EventDetails {
  readonly action: RefusedAction;
  readonly reason: RefusalReason;
  /** uid. Null if there is no account, absent if the caller did not look it up. */
  readonly account?: string | null;
  /** The text as the person typed it. Never stored, because people type passwords here by mistake. */
  readonly username?: string;
}

/** The subject of an entry without an existing account. */
const unknownSubject = 'unknown';

/**
 * Writes sign-ins, refusals, logouts and codes to the audit log and the structured log, without secrets. Successes are
 * recorded individually, each in the transaction of its change. Refusals are limited (`RefusalWindow`), so that
 * guessing cannot fill the disk.
 */
export class SignInAudit {
  readonly #audit: AuditLog;
  readonly #tables: Kysely<AuthTables>;
  readonly #keys: KeyRing;
  readonly #log: Logger;
  readonly #window: RefusalWindow;

  constructor(options: {
    readonly audit: AuditLog;
    readonly tables: Kysely<AuthTables>;
    readonly keys: KeyRing;
    readonly clock: Clock;
    readonly log: Logger;
  }) {
    this.#audit = options.audit;
    this.#tables = options.tables;
    this.#keys = options.keys;
    this.#log = options.log;
    this.#window = new RefusalWindow(options.clock);
  }

  async record(
    { action, account, request, ...details }: SignInEvent,
    transaction: QueryExecutorProvider,
  ): Promise<void> {
    await this.#audit.record(
      { actor: account, action, subject: account, details, ...(request === undefined ? {} : { request }) },
      transaction,
    );
    this.#log.info({ event: action, account, request, ...details }, 'Sign-in event.');
  }

  async recordRefusal(event: RefusalEvent): Promise<void> {
    const { action, reason, account, username, request, ...details } = event;
    this.#log.warn(
      { event: action, reason, account: account ?? undefined, request, ...details },
      'Sign-in event refused.',
    );
    const endedSummary = this.#window.takeEnded();
    if (endedSummary !== undefined) await this.#recordSummary(endedSummary);
    if (!this.#window.admit(`${action} ${reason}`, toNetwork(event.address), account ?? undefined)) return;
    const subject = account === undefined ? await this.#findAccountUid(username) : account;
    const name = username === undefined ? {} : { name: await this.#createPseudonym(username) };
    await this.#audit.record(
      {
        actor: null,
        action,
        subject: subject ?? unknownSubject,
        details: { reason, ...details, ...name },
        ...(request === undefined ? {} : { request }),
      },
      this.#tables,
    );
  }

  /** Writes counted refusals. Must be called periodically and when the server stops. */
  async flush(): Promise<void> {
    const summary = this.#window.take();
    if (summary !== undefined) await this.#recordSummary(summary);
  }

  async #recordSummary({ counts, since, until }: RefusalSummary): Promise<void> {
    const events = counts.map(({ kind, ...details }) => {
      const [action = '', reason] = kind.split(' ');
      return { action, details: { reason, summarised: true, since, until, ...details } };
    });
    // All events are logged first, so that they are not lost if the audit log cannot be written.
    for (const { action, details } of events)
      this.#log.warn({ event: action, ...details }, 'Further sign-in events were refused.');
    for (const { action, details } of events)
      await this.#audit.record({ actor: null, action, subject: unknownSubject, details }, this.#tables);
  }

  async #findAccountUid(username: string | undefined): Promise<string | null> {
    if (username === undefined) return null;
    const row = await this.#tables
      .selectFrom('user_account')
      .select('uid')
      .where('username', '=', normaliseUsername(username))
      .executeTakeFirst();
    return row?.uid ?? null;
  }

  /** A username always has the same pseudonym, so that attempts at one name can be correlated. */
  async #createPseudonym(username: string): Promise<string> {
    const key = await this.#keys.getCurrent();
    return createHmac('sha256', key.deriveKey('audit'))
      .update(normaliseUsername(username))
      .digest('base64url')
      .slice(0, 12);
  }
}
