import { createHash } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Clock } from '../kernel/clock.ts';
import { tooManyRequests } from '../kernel/server-error.ts';
import type { AuthTables } from './auth-tables.ts';

interface Policy {
  /** Failures that cost nothing. */
  readonly free: number;
  /** Longest wait in milliseconds; the waits before it double, from one second on. */
  readonly longest: number;
}

/**
 * One address at one account soon waits long; all addresses together at one account only briefly: the owner, at an
 * address of their own, gets in between the guesses of others.
 */
const policies = {
  pair: { free: 10, longest: 15 * 60_000 },
  account: { free: 100, longest: 30_000 },
} as const satisfies Record<string, Policy>;
const forgottenAfter = 60 * 60_000;

export type ThrottledDeed = 'login' | 'password';

/**
 * Slows down guessing, in all processes over one database. Every attempt counts as failed from its beginning until
 * `succeeded`: any number of simultaneous guesses count each. An account that does not exist is slowed down like one
 * that does.
 */
export class SignInThrottle {
  readonly #tables: Kysely<AuthTables>;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#tables = database.of<AuthTables>('core');
    this.#clock = clock;
  }

  /**
   * Throws `tooManyRequests` (429 E008) with the seconds to wait. An attempt does not make the wait longer that refuses
   * it; the one refused by the account's wait counts for its own address.
   */
  async begin(deed: ThrottledDeed, username: string, address: string): Promise<void> {
    await this.#count(toKey(deed, username, address), policies.pair);
    await this.#count(toKey(deed, username), policies.account);
  }

  async succeeded(deed: ThrottledDeed, username: string, address: string): Promise<void> {
    await this.#tables
      .deleteFrom('sign_in_attempt')
      .where('key', 'in', [toKey(deed, username, address), toKey(deed, username)])
      .execute();
  }

  async removeOld(): Promise<void> {
    await this.#tables
      .deleteFrom('sign_in_attempt')
      .where('last_at', '<', new Date(this.#clock.now() - forgottenAfter))
      .execute();
  }

  /** One statement, so that of simultaneous attempts each sees the ones before it. */
  async #count(key: string, policy: Policy): Promise<void> {
    const now = this.#clock.now();
    const counted = await this.#tables
      .insertInto('sign_in_attempt')
      .values({ key, failures: 1, last_at: new Date(now) })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet({
            failures: sql`case when sign_in_attempt.last_at < ${new Date(now - forgottenAfter)}
              then 1 else sign_in_attempt.failures + 1 end`,
            // Of simultaneous attempts the later one may come first.
            last_at: sql`greatest(sign_in_attempt.last_at, ${new Date(now)}::timestamptz)`,
          })
          .where(
            sql<boolean>`sign_in_attempt.failures < ${policy.free}
              or sign_in_attempt.last_at + ${waitAfter('sign_in_attempt.failures', policy)} <= ${new Date(now)}`,
          ),
      )
      .returning('failures')
      .executeTakeFirst();
    if (counted !== undefined) return;
    const row = await this.#tables.selectFrom('sign_in_attempt').selectAll().where('key', '=', key).executeTakeFirst();
    if (row === undefined) return;
    const wait = Math.min(policy.longest, 1000 * 2 ** (row.failures - policy.free));
    throw tooManyRequests(Math.max(1, Math.ceil((row.last_at.getTime() + wait - now) / 1000)));
  }
}

/** SQL of the wait after so many failures, as an interval: 1 s, 2 s, 4 s... */
function waitAfter(failures: string, policy: Policy) {
  return sql`least(${policy.longest}::float8, 1000 * power(2::float8, least(${sql.raw(`${failures} - ${policy.free}`)}, 30))) * interval '1 millisecond'`;
}

function toKey(deed: ThrottledDeed, username: string, address?: string): string {
  return createHash('sha256')
    .update(JSON.stringify([deed, username, address ?? null]))
    .digest('base64url');
}
