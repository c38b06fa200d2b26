import type { Kysely } from 'kysely';
import type { AccessChanges } from '../access/access-changes.ts';
import type { AccountStatus } from '../access/access-tables.ts';
import type { Caller } from '../access/caller.ts';
import { TtlCache } from '../kernel/ttl-cache.ts';
import type { Database } from '../database/database.ts';
import type { Clock } from '../kernel/clock.ts';
import { inactiveUser, unauthenticated } from '../kernel/server-error.ts';
import type { AuthTables } from './auth-tables.ts';
import { loadCaller } from './load-caller.ts';

interface CachedSession {
  readonly caller: Caller;
  readonly status: AccountStatus;
  readonly isRevoked: boolean;
  readonly endsAt: number;
}

/** A change whose announcement was lost takes effect after this time at the latest. */
const lifetimeMs = 15_000;
const maxSessions = 20_000;

/** Caches the caller of each session in memory. Invalidated by announcements of any process. */
export class SessionDirectory {
  readonly #tables: Kysely<AuthTables>;
  readonly #clock: Clock;
  readonly #sessions: TtlCache<CachedSession | undefined>;

  constructor(database: Database, changes: AccessChanges, clock: Clock) {
    this.#tables = database.of<AuthTables>('core');
    this.#clock = clock;
    this.#sessions = new TtlCache({ clock, lifetime: lifetimeMs, capacity: maxSessions });
    changes.onChange((change) => {
      if (change.kind === 'session') this.#sessions.drop(change.session);
      else if (change.kind === 'account')
        this.#sessions.dropWhere((cachedSession) => cachedSession?.caller.uid === change.account);
      else this.#sessions.clear();
    });
  }

  /**
   * @throws `inactiveUser` (E006) if the account is inactive; `unauthenticated` (E005) if the session is over or
   *   unknown
   */
  async loadCaller(session: string): Promise<Caller> {
    let cachedSession = await this.#sessions.get(session, () => this.#load(session));
    // A cached session that seems expired may have been renewed since.
    if (cachedSession !== undefined && !cachedSession.isRevoked && this.#clock.now() >= cachedSession.endsAt) {
      this.#sessions.drop(session);
      cachedSession = await this.#sessions.get(session, () => this.#load(session));
    }
    if (cachedSession?.status === 'INACTIVE') throw inactiveUser();
    if (cachedSession?.status !== 'ACTIVE' || cachedSession.isRevoked || this.#clock.now() >= cachedSession.endsAt)
      throw unauthenticated();
    return cachedSession.caller;
  }

  async #load(session: string): Promise<CachedSession | undefined> {
    const row = await this.#tables
      .selectFrom('session')
      .innerJoin('user_account', 'user_account.uid', 'session.account')
      .select([
        'user_account.uid',
        'user_account.username',
        'user_account.user_type',
        'user_account.status',
        'session.revoked_at',
        'session.idle_expires_at',
      ])
      .where('session.id', '=', session)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    return {
      caller: await loadCaller(this.#tables, row, session),
      status: row.status,
      isRevoked: row.revoked_at !== null,
      // Never later than the session's absolute end.
      endsAt: row.idle_expires_at.getTime(),
    };
  }
}
