import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { AccountRow } from '../../access/access-tables.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { AuthTables } from '../auth-tables.ts';
import { createRequestSecret, hashSecret } from '../one-time-codes.ts';

const lifetimeMs = 10 * 60_000;

/**
 * Sign-ins that wait for their second factor. Each is valid for ten minutes, for one account and one sign-in, and ends
 * when the password is changed.
 */
export class SignInChallenges {
  readonly #tables: Kysely<AuthTables>;
  readonly #clock: Clock;

  constructor(tables: Kysely<AuthTables>, clock: Clock) {
    this.#tables = tables;
    this.#clock = clock;
  }

  /** Returns the secret that the client keeps. */
  async create({ uid, password_hash }: Pick<AccountRow, 'uid' | 'password_hash'>): Promise<string> {
    const challenge = createRequestSecret();
    await this.#tables
      .insertInto('sign_in_challenge')
      .values({
        hash: hashSecret(challenge),
        account: uid,
        proof: toProof(password_hash),
        expires_at: new Date(this.#clock.now() + lifetimeMs),
      })
      .execute();
    return challenge;
  }

  /** The account of an open challenge. */
  async findAccount(challenge: string): Promise<AccountRow | undefined> {
    const row = await this.#tables
      .selectFrom('sign_in_challenge')
      .innerJoin('user_account', 'user_account.uid', 'sign_in_challenge.account')
      .selectAll('user_account')
      .select('sign_in_challenge.proof')
      .where('sign_in_challenge.hash', '=', hashSecret(challenge))
      .where('sign_in_challenge.expires_at', '>', new Date(this.#clock.now()))
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { proof, ...account } = row;
    return proof === toProof(account.password_hash) ? account : undefined;
  }

  /** Ends a challenge. Returns false if it has already ended. Does not check its expiry, unlike `findAccount`. */
  async close(transaction: Kysely<AuthTables>, challenge: string): Promise<boolean> {
    const deletedRow = await transaction
      .deleteFrom('sign_in_challenge')
      .where('hash', '=', hashSecret(challenge))
      .returning('account')
      .executeTakeFirst();
    return deletedRow !== undefined;
  }

  async removeOld(): Promise<void> {
    await this.#tables.deleteFrom('sign_in_challenge').where('expires_at', '<', new Date(this.#clock.now())).execute();
  }
}

const toProof = (passwordHash: string | null): string =>
  createHash('sha256')
    .update(passwordHash ?? '')
    .digest('hex');
