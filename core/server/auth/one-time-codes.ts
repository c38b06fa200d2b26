import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Clock } from '../kernel/clock.ts';
import { toNetwork } from '../kernel/to-network.ts';
import type { AuthTables, CodePurpose, OneTimeCodeTable } from './auth-tables.ts';
import type { KeyRing, SigningKey } from './key-ring.ts';

/** Guesses allowed for one code. */
const attemptsAllowed = 5;
/**
 * Codes per account, purpose and hour, for one requesting network and for all. The limits prevent flooding a mailbox
 * and winning guesses by many requests. The last few are reserved for networks that had none.
 */
const codesAnHour = { oneAsker: 5, all: 10, keptForNewcomers: 2 } as const;
/** The limit for all networks per day. */
const codesADay = 20;
const hour = 60 * 60_000;
const day = 24 * hour;
/** How long a code can be resent for the same request, in milliseconds. */
export const requestLifetime = day;

/** What a code is requested for. The requesting client keeps a secret, without which the code is useless. */
export interface CodeRequest {
  readonly purpose: CodePurpose;
  /** Hex SHA-256 of the client's secret. */
  readonly request: string;
  /** Network address of the client. */
  readonly asker: string;
  readonly passwordHash: string | null;
  /** When the client requested the code. */
  readonly requestedAt: Date;
}

export type IssuedCode = { readonly code: string } | { readonly refused: 'codeExpiredOrUsed' | 'tooManyCodes' };
export type RedeemedCode = { readonly row: OneTimeCodeTable } | { readonly refused: 'codeExpiredOrUsed' | 'codeWrong' };

/** 256 bits, base64url. */
export const newRequestSecret = (): string => randomBytes(32).toString('base64url');
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/**
 * Six-digit codes by mail, which prove that a person reads the account's mail. Stored as keyed hashes and closed after
 * a few guesses. Each code belongs to one request: only that client can redeem it or guess it.
 */
export class OneTimeCodes {
  readonly #tables: Kysely<AuthTables>;
  readonly #clock: Clock;
  readonly #keys: KeyRing;
  readonly #lifetime: number;

  /** `lifetime` in milliseconds. */
  constructor(database: Database, clock: Clock, keys: KeyRing, lifetime: number) {
    this.#tables = database.of<AuthTables>('core');
    this.#clock = clock;
    this.#keys = keys;
    this.#lifetime = lifetime;
  }

  /** Milliseconds. */
  get lifetime(): number {
    return this.#lifetime;
  }

  get lifetimeMinutes(): number {
    return Math.max(1, Math.round(this.#lifetime / 60_000));
  }

  /** Call it before the transaction begins: it may query the database. */
  key(): Promise<SigningKey> {
    return this.#keys.current();
  }

  /**
   * Creates a code and closes earlier ones of the request; repeating an `id` replaces its code. `transaction` must hold
   * the account's row. Refused if the account reached a limit, if the code of `id` was used, or if the client got a
   * code for a later request.
   */
  async issue(
    transaction: Transaction<AuthTables>,
    key: SigningKey,
    account: string,
    { purpose, request, asker, passwordHash, requestedAt }: CodeRequest,
    id: string,
  ): Promise<IssuedCode> {
    const now = this.#clock.now();
    const askerHash = createHmac('sha256', key.for('code')).update(toNetwork(asker)).digest('base64url');
    const recent = await transaction
      .selectFrom('one_time_code')
      .select(['id', 'asker_hash', 'closed_at', 'created_at', 'requested_at'])
      .where('account', '=', account)
      .where('purpose', '=', purpose)
      .where('created_at', '>', new Date(now - day))
      .execute();
    const former = recent.find((code) => code.id === id);
    if (former !== undefined && former.closed_at !== null) return { refused: 'codeExpiredOrUsed' };
    const others = recent.filter((code) => code !== former);
    if (others.some((code) => code.asker_hash === askerHash && code.requested_at > requestedAt))
      return { refused: 'codeExpiredOrUsed' };
    const lastHour = others.filter((code) => code.created_at.getTime() > now - hour);
    const own = lastHour.filter((code) => code.asker_hash === askerHash).length;
    const maxCodes = own === 0 ? codesAnHour.all : codesAnHour.all - codesAnHour.keptForNewcomers;
    if (others.length >= codesADay || lastHour.length >= maxCodes || own >= codesAnHour.oneAsker)
      return { refused: 'tooManyCodes' };
    await transaction
      .updateTable('one_time_code')
      .set({ closed_at: new Date(now) })
      .where('request', '=', request)
      .where('closed_at', 'is', null)
      .execute();
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const fresh = {
      code_hash: hashCode(key, request, code).toString('base64url'),
      attempts: 0,
      created_at: new Date(now),
      expires_at: new Date(now + this.#lifetime),
      closed_at: null,
    };
    await transaction
      .insertInto('one_time_code')
      .values({
        id,
        account,
        purpose,
        request,
        asker_hash: askerHash,
        password_hash: passwordHash,
        requested_at: requestedAt,
        ...fresh,
      })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(fresh))
      .execute();
    return { code };
  }

  /**
   * Returns the row of the code if it belongs to the request, and closes all open codes of the account. Otherwise
   * refuses and counts one guess, which the caller must commit.
   */
  async redeem(
    transaction: Transaction<AuthTables>,
    key: SigningKey,
    account: string,
    purpose: CodePurpose,
    request: string,
    code: string,
  ): Promise<RedeemedCode> {
    const now = this.#clock.now();
    const open = await transaction
      .selectFrom('one_time_code')
      .selectAll()
      .where('account', '=', account)
      .where('purpose', '=', purpose)
      .where('request', '=', request)
      .where('closed_at', 'is', null)
      .where('expires_at', '>', new Date(now))
      .forUpdate()
      .executeTakeFirst();
    if (open === undefined) return { refused: 'codeExpiredOrUsed' };
    if (timingSafeEqual(Buffer.from(open.code_hash, 'base64url'), hashCode(key, request, code))) {
      await transaction
        .updateTable('one_time_code')
        .set({ closed_at: new Date(now) })
        .where('account', '=', account)
        .where('purpose', '=', purpose)
        .where('closed_at', 'is', null)
        .execute();
      return { row: open };
    }
    const attempts = open.attempts + 1;
    await transaction
      .updateTable('one_time_code')
      .set({ attempts, closed_at: attempts >= attemptsAllowed ? new Date(now) : null })
      .where('id', '=', open.id)
      .execute();
    return { refused: 'codeWrong' };
  }

  /** The last code of this request within `requestLifetime`, used or not. */
  async last(
    transaction: Transaction<AuthTables>,
    account: string,
    request: string,
  ): Promise<OneTimeCodeTable | undefined> {
    return transaction
      .selectFrom('one_time_code')
      .selectAll()
      .where('account', '=', account)
      .where('request', '=', request)
      .where('created_at', '>', new Date(this.#clock.now() - requestLifetime))
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst();
  }

  /** Removes codes whose requests have expired too. */
  async removeOld(): Promise<void> {
    await this.#tables
      .deleteFrom('one_time_code')
      .where('created_at', '<', new Date(this.#clock.now() - requestLifetime))
      .execute();
  }
}

function hashCode(key: SigningKey, request: string, code: string): Buffer {
  return createHmac('sha256', key.for('code'))
    .update(JSON.stringify([request, code]))
    .digest();
}
