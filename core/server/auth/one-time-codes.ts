import { createHmac, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Clock } from '../kernel/clock.ts';
import type { AuthTables, CodePurpose, OneTimeCodeTable } from './auth-tables.ts';
import type { KeyRing, SigningKey } from './key-ring.ts';

/** Guesses that one code bears. */
const attemptsAllowed = 5;
/** Codes that one account may be sent in an hour, for each purpose. */
const codesAnHour = 5;
/** Registrations that may wait for their code side by side: somebody else's cannot push out the person's own. */
const openAtOnce = { ACTIVATE: 3, RESET: 1 } as const satisfies Record<CodePurpose, number>;

/** Six digits by mail, as proof that a person reads the account's mail. Kept as keyed hashes; a few guesses close a code. */
export class OneTimeCodes {
  readonly #clock: Clock;
  readonly #keys: KeyRing;
  readonly #lifetime: number;

  /** `lifetime` in milliseconds. */
  constructor(clock: Clock, keys: KeyRing, lifetime: number) {
    this.#clock = clock;
    this.#keys = keys;
    this.#lifetime = lifetime;
  }

  get lifetimeMinutes(): number {
    return Math.max(1, Math.round(this.#lifetime / 60_000));
  }

  /** To be asked for before the transaction begins: it may look into the database. */
  keys(): Promise<readonly [SigningKey, ...SigningKey[]]> {
    return this.#keys.all();
  }

  /** The code, or undefined where the account has been sent enough for now. The account's row must be held by `transaction`. */
  async issue(transaction: Transaction<AuthTables>, [key]: readonly [SigningKey, ...SigningKey[]], account: string, purpose: CodePurpose, passwordHash: string | null): Promise<string | undefined> {
    const now = this.#clock.now();
    const recent = await transaction
      .selectFrom('one_time_code')
      .select(['id', 'closed_at'])
      .where('account', '=', account)
      .where('purpose', '=', purpose)
      .where('created_at', '>', new Date(now - 60 * 60_000))
      .orderBy('created_at', 'desc')
      .execute();
    if (recent.length >= codesAnHour) return undefined;
    const superseded = recent.filter(({ closed_at }) => closed_at === null).slice(openAtOnce[purpose] - 1);
    if (superseded.length > 0) {
      await close(transaction, now, superseded.map(({ id }) => id));
    }
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    await transaction
      .insertInto('one_time_code')
      .values({
        id: randomUUID(),
        account,
        purpose,
        code_hash: hashCode(key, account, purpose, code).toString('base64url'),
        password_hash: passwordHash,
        attempts: 0,
        created_at: new Date(now),
        expires_at: new Date(now + this.#lifetime),
        closed_at: null,
      })
      .execute();
    return code;
  }

  /** The row of the code that fits; it and its siblings are closed by that. Undefined where none does: a guess against each open one, to be committed. */
  async redeem(transaction: Transaction<AuthTables>, keys: readonly SigningKey[], account: string, purpose: CodePurpose, code: string): Promise<OneTimeCodeTable | undefined> {
    const now = this.#clock.now();
    const open = await transaction
      .selectFrom('one_time_code')
      .selectAll()
      .where('account', '=', account)
      .where('purpose', '=', purpose)
      .where('closed_at', 'is', null)
      .where('expires_at', '>', new Date(now))
      .orderBy('created_at', 'desc')
      .forUpdate()
      .execute();
    if (open.length === 0) return undefined;
    const fits = (row: OneTimeCodeTable): boolean => keys.some((key) => timingSafeEqual(Buffer.from(row.code_hash, 'base64url'), hashCode(key, account, purpose, code)));
    const found = open.find(fits);
    if (found !== undefined) {
      await close(transaction, now, open.map(({ id }) => id));
      return found;
    }
    for (const row of open) {
      const attempts = row.attempts + 1;
      await transaction
        .updateTable('one_time_code')
        .set({ attempts, closed_at: attempts >= attemptsAllowed ? new Date(now) : null })
        .where('id', '=', row.id)
        .execute();
    }
    return undefined;
  }

  /** The code sent last for this purpose since `since` (milliseconds), used up or not. */
  async last(transaction: Transaction<AuthTables>, account: string, purpose: CodePurpose, since: number): Promise<OneTimeCodeTable | undefined> {
    return transaction
      .selectFrom('one_time_code')
      .selectAll()
      .where('account', '=', account)
      .where('purpose', '=', purpose)
      .where('created_at', '>', new Date(since))
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst();
  }
}

async function close(transaction: Transaction<AuthTables>, now: number, ids: readonly string[]): Promise<void> {
  await transaction.updateTable('one_time_code').set({ closed_at: new Date(now) }).where('id', 'in', ids).execute();
}

function hashCode(key: SigningKey, account: string, purpose: CodePurpose, code: string): Buffer {
  return createHmac('sha256', key.for('code')).update(JSON.stringify([account, purpose, code])).digest();
}
