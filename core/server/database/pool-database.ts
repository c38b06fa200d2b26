import { Kysely } from 'kysely';
import type pg from 'pg';
import { cleanError } from './database-error.ts';
import type { Database, ListenOptions } from './database.ts';
import { poolDialect } from './pool-driver.ts';
import { TransactionGuard } from './transaction-guard.ts';

/** Where announcements come from: other processes over PostgreSQL, or this process. */
export interface Announcements {
  notify(channel: string, payload: string): Promise<void>;
  listen(channel: string, listener: (payload: string) => void, options: ListenOptions): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const longestPayload = 7000;

/** What core's own database layer needs besides `Database`. */
export class PoolDatabase implements Database {
  readonly kind: Database['kind'];
  readonly pool: pg.Pool;
  readonly #guard: TransactionGuard;
  readonly #kysely: Kysely<unknown>;
  readonly #bySchema = new Map<string, Kysely<unknown>>();
  readonly #announcements: Announcements;
  readonly #release: () => Promise<void>;
  #closed: Promise<void> | undefined;

  /** `checked`: see `OpenDatabaseOptions`. `release` frees what lies under the pool: a thread, a lock. */
  constructor(parts: {
    readonly kind: Database['kind'];
    readonly checked: boolean;
    readonly pool: pg.Pool;
    readonly announcements: Announcements;
    readonly release: () => Promise<void>;
  }) {
    this.kind = parts.kind;
    this.pool = parts.pool;
    // The pool listens only while a client is idle; a lost connection of one at work would end the process.
    // Whoever uses it hears of it from the next statement.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
    this.#guard = new TransactionGuard(parts.checked);
    this.#announcements = parts.announcements;
    this.#release = parts.release;
    this.#kysely = new Kysely<unknown>({ dialect: poolDialect(parts.pool, this.#guard) });
  }

  of<T>(schema: string): Kysely<T> {
    const known = this.#bySchema.get(schema);
    const found = known ?? this.#kysely.withSchema(schema);
    if (!known) this.#bySchema.set(schema, found);
    return found.withTables<T & Record<never, never>>() as Kysely<T>;
  }

  async query<R extends object>(sql: string, parameters: readonly unknown[] = []): Promise<readonly R[]> {
    this.#guard.check();
    try {
      const result = await this.pool.query<R & pg.QueryResultRow>(sql, [...parameters]);
      return result.rows;
    } catch (error) {
      throw cleanError(error);
    }
  }

  /**
   * One connection for as long as `work` takes; errors are cleaned. For what Kysely does not do: locks of a session,
   * several statements in one text.
   */
  async withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    this.#guard.check();
    let client: pg.PoolClient;
    try {
      client = await this.pool.connect();
    } catch (error) {
      throw cleanError(error);
    }
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      // It may be in the middle of a transaction: nobody else gets it.
      client.release(true);
      throw cleanError(error);
    }
  }

  async notify(channel: string, payload: string): Promise<void> {
    if (Buffer.byteLength(payload) > longestPayload)
      throw new Error(
        `An announcement on "${channel}" has more than ${longestPayload} bytes. Announce an id and let who listens ` +
          'read the rest.',
      );
    this.#guard.check();
    await this.#announcements.notify(channel, payload);
  }

  async listen(
    channel: string,
    listener: (payload: string) => void,
    options: ListenOptions = {},
  ): Promise<() => Promise<void>> {
    return this.#announcements.listen(channel, listener, options);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#announcements.close();
    await this.pool.end();
    await this.#release();
  }
}
