import { createHash } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Clock } from '../kernel/clock.ts';
import { tooManyRequests } from '../kernel/server-error.ts';
import type { AuthTables } from './auth-tables.ts';

interface Policy {
  /** Failures before the first delay. */
  readonly freeFailures: number;
  /** The longest delay. Delays begin with one second and double with each failure. */
  readonly maxDelayMs: number;
}

/**
 * The delays for one account and network address grow long. The delays for one account and all addresses together stay
 * short, so that the owner can sign in from another address during an attack.
 */
const policies = {
  accountAndAddress: { freeFailures: 10, maxDelayMs: 15 * 60_000 },
  account: { freeFailures: 100, maxDelayMs: 30_000 },
} as const satisfies Record<string, Policy>;
const resetAfterMs = 60 * 60_000;

export type ThrottledAction = 'login' | 'password' | 'secondFactor';

/**
 * Slows down password guessing, across all processes of a database. Every attempt counts as failed until
 * `recordSuccess` is called, so that concurrent guesses all count. Missing accounts are treated like existing ones.
 */
export class SignInThrottle {
  readonly #tables: Kysely<AuthTables>;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#tables = database.of<AuthTables>('core');
    this.#clock = clock;
  }

  /**
   * Counts an attempt as failed. An attempt that is refused during a delay does not extend the delay.
   *
   * @throws `tooManyRequests` (429 E008) with the seconds to wait
   */
  async countAttempt(action: ThrottledAction, username: string, address: string): Promise<void> {
    await this.#count(toKey(action, username, address), policies.accountAndAddress);
    await this.#count(toKey(action, username), policies.account);
  }

  async recordSuccess(action: ThrottledAction, username: string, address: string): Promise<void> {
    await this.#tables
      .deleteFrom('sign_in_attempt')
      .where('key', 'in', [toKey(action, username, address), toKey(action, username)])
      .execute();
  }

  async removeOld(): Promise<void> {
    await this.#tables
      .deleteFrom('sign_in_attempt')
      .where('last_at', '<', new Date(this.#clock.now() - resetAfterMs))
      .execute();
  }

  /** Counts in one statement, so that each concurrent attempt sees the earlier ones. */
  async #count(key: string, policy: Policy): Promise<void> {
    const now = this.#clock.now();
    const countedRow = await this.#tables
      .insertInto('sign_in_attempt')
      .values({ key, failures: 1, last_at: new Date(now) })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet({
            failures: sql`case when sign_in_attempt.last_at < ${new Date(now - resetAfterMs)}
              then 1 else sign_in_attempt.failures + 1 end`,
            // Concurrent attempts may be stored out of order.
            last_at: sql`greatest(sign_in_attempt.last_at, ${new Date(now)}::timestamptz)`,
          })
          .where(
            sql<boolean>`sign_in_attempt.failures < ${policy.freeFailures}
              or sign_in_attempt.last_at + ${delayInterval('sign_in_attempt.failures', policy)} <= ${new Date(now)}`,
          ),
      )
      .returning('failures')
      .executeTakeFirst();
    if (countedRow !== undefined) return;
    const row = await this.#tables.selectFrom('sign_in_attempt').selectAll().where('key', '=', key).executeTakeFirst();
    if (row === undefined) return;
    const delayMs = Math.min(policy.maxDelayMs, 1000 * 2 ** (row.failures - policy.freeFailures));
    throw tooManyRequests(Math.max(1, Math.ceil((row.last_at.getTime() + delayMs - now) / 1000)));
  }
}

/** The SQL interval of the delay after this number of failures: 1 s, 2 s, 4 s... */
function delayInterval(failures: string, policy: Policy) {
  return sql`least(${policy.maxDelayMs}::float8, 1000 * power(2::float8, least(${sql.raw(`${failures} - ${policy.freeFailures}`)}, 30))) * interval '1 millisecond'`;
}

function toKey(action: ThrottledAction, username: string, address?: string): string {
  return createHash('sha256')
    .update(JSON.stringify([action, username, address ?? null]))
    .digest('base64url');
}
