import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Clock } from '../kernel/clock.ts';
import { toNetwork } from '../kernel/to-network.ts';
import type { AuthTables, CodePurpose, OneTimeCodeTable } from './auth-tables.ts';
import type { KeyRing, SigningKey } from './key-ring.ts';

/** Guesses allowed for one code. */
const maxAttempts = 5;
/**
 * The maximum number of codes per account, purpose and hour, for one network and for all networks. The limits protect
 * against mailbox flooding and against guessing by many requests. The last codes are reserved for networks that got
 * none yet.
 */
const maxCodesPerHour = { perNetwork: 5, total: 10, reservedForNewNetworks: 2 } as const;
/** The limit for all networks per day. */
const maxCodesPerDay = 20;
const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
/** The time for which another code can be requested with the same secret. */
export const requestLifetimeMs = dayMs;

/** A request for a code. The requesting client keeps a secret, without which the code is useless. */
export interface CodeRequest {
  readonly purpose: CodePurpose;
  /** Hex SHA-256 of the client's secret. */
  readonly request: string;
  /** Network address of the client. */
  readonly clientAddress: string;
  readonly passwordHash: string | null;
  /** When the client requested the code. */
  readonly requestedAt: Date;
}

export type IssuedCode = { readonly code: string } | { readonly refused: 'codeExpiredOrUsed' | 'tooManyCodes' };
export type RedeemedCode = { readonly row: OneTimeCodeTable } | { readonly refused: 'codeExpiredOrUsed' | 'codeWrong' };

/** Creates a random secret of 256 bits as base64url. */
export const createRequestSecret = (): string => randomBytes(32).toString('base64url');
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/**
 * Six-digit codes by mail, which prove that a person reads the account's mail. They are stored as keyed hashes and
 * closed after a few guesses. Each code belongs to one request: only its client can redeem or guess the code.
 */
export class OneTimeCodes {
  readonly #tables: Kysely<AuthTables>;
  readonly #clock: Clock;
  readonly #keys: KeyRing;
  readonly #lifetimeMs: number;

  constructor(database: Database, clock: Clock, keys: KeyRing, lifetimeMs: number) {
    this.#tables = database.of<AuthTables>('core');
    this.#clock = clock;
    this.#keys = keys;
    this.#lifetimeMs = lifetimeMs;
  }

  get lifetimeMs(): number {
    return this.#lifetimeMs;
  }

  get lifetimeMinutes(): number {
    return Math.max(1, Math.round(this.#lifetimeMs / 60_000));
  }

  /** Must be called before the transaction begins, because it may query the database. */
  getKey(): Promise<SigningKey> {
    return this.#keys.getCurrent();
  }

  /**
   * Creates a code and closes earlier ones of the request. If there is a code with this `id`, as after a failed mail,
   * the new code replaces it. `transaction` must have locked the account's row. Refuses if the account reached a limit,
   * if the code of `id` was used, or if the client got a code for a later request.
   */
  async issue(
    transaction: Transaction<AuthTables>,
    key: SigningKey,
    account: string,
    { purpose, request, clientAddress, passwordHash, requestedAt }: CodeRequest,
    id: string,
  ): Promise<IssuedCode> {
    const now = this.#clock.now();
    const clientAddressHash = createHmac('sha256', key.deriveKey('code'))
      .update(toNetwork(clientAddress))
      .digest('base64url');
    const recentCodes = await transaction
      .selectFrom('one_time_code')
      .select(['id', 'asker_hash', 'closed_at', 'created_at', 'requested_at'])
      .where('account', '=', account)
      .where('purpose', '=', purpose)
      .where('created_at', '>', new Date(now - dayMs))
      .execute();
    const previousCode = recentCodes.find((code) => code.id === id);
    if (previousCode !== undefined && previousCode.closed_at !== null) return { refused: 'codeExpiredOrUsed' };
    const otherCodes = recentCodes.filter((code) => code !== previousCode);
    if (otherCodes.some((code) => code.asker_hash === clientAddressHash && code.requested_at > requestedAt))
      return { refused: 'codeExpiredOrUsed' };
    const codesOfLastHour = otherCodes.filter((code) => code.created_at.getTime() > now - hourMs);
    const ownCount = codesOfLastHour.filter((code) => code.asker_hash === clientAddressHash).length;
    const maxCodes =
      ownCount === 0 ? maxCodesPerHour.total : maxCodesPerHour.total - maxCodesPerHour.reservedForNewNetworks;
    if (
      otherCodes.length >= maxCodesPerDay ||
      codesOfLastHour.length >= maxCodes ||
      ownCount >= maxCodesPerHour.perNetwork
    )
      return { refused: 'tooManyCodes' };
    await transaction
      .updateTable('one_time_code')
      .set({ closed_at: new Date(now) })
      .where('request', '=', request)
      .where('closed_at', 'is', null)
      .execute();
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const newValues = {
      code_hash: hashCode(key, request, code).toString('base64url'),
      attempts: 0,
      created_at: new Date(now),
      expires_at: new Date(now + this.#lifetimeMs),
      closed_at: null,
    };
    await transaction
      .insertInto('one_time_code')
      .values({
        id,
        account,
        purpose,
        request,
        asker_hash: clientAddressHash,
        password_hash: passwordHash,
        requested_at: requestedAt,
        ...newValues,
      })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(newValues))
      .execute();
    return { code };
  }

  /**
   * Returns the row of the code if it belongs to the request, and closes all open codes of the account for this
   * purpose. Otherwise refuses and counts one guess, which the caller must commit.
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
    const openCode = await transaction
      .selectFrom('one_time_code')
      .selectAll()
      .where('account', '=', account)
      .where('purpose', '=', purpose)
      .where('request', '=', request)
      .where('closed_at', 'is', null)
      .where('expires_at', '>', new Date(now))
      .forUpdate()
      .executeTakeFirst();
    if (openCode === undefined) return { refused: 'codeExpiredOrUsed' };
    if (timingSafeEqual(Buffer.from(openCode.code_hash, 'base64url'), hashCode(key, request, code))) {
      await transaction
        .updateTable('one_time_code')
        .set({ closed_at: new Date(now) })
        .where('account', '=', account)
        .where('purpose', '=', purpose)
        .where('closed_at', 'is', null)
        .execute();
      return { row: openCode };
    }
    const attempts = openCode.attempts + 1;
    await transaction
      .updateTable('one_time_code')
      .set({ attempts, closed_at: attempts >= maxAttempts ? new Date(now) : null })
      .where('id', '=', openCode.id)
      .execute();
    return { refused: 'codeWrong' };
  }

  /** The last code of this request within `requestLifetimeMs`, used or not. */
  async findLast(
    transaction: Transaction<AuthTables>,
    account: string,
    request: string,
  ): Promise<OneTimeCodeTable | undefined> {
    return transaction
      .selectFrom('one_time_code')
      .selectAll()
      .where('account', '=', account)
      .where('request', '=', request)
      .where('created_at', '>', new Date(this.#clock.now() - requestLifetimeMs))
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst();
  }

  /** Removes codes whose request can get no further code. */
  async removeOld(): Promise<void> {
    await this.#tables
      .deleteFrom('one_time_code')
      .where('created_at', '<', new Date(this.#clock.now() - requestLifetimeMs))
      .execute();
  }
}

function hashCode(key: SigningKey, request: string, code: string): Buffer {
  return createHmac('sha256', key.deriveKey('code'))
    .update(JSON.stringify([request, code]))
    .digest();
}
