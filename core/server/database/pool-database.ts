import { Kysely } from 'kysely';
import type pg from 'pg';
import { toSafeError, DatabaseFullError } from '../kernel/database-error.ts';
import type { Database, ListenOptions } from './database.ts';
import { poolDialect } from './pool-driver.ts';
import { SchemaPlugin } from './schema-queries.ts';
import { TransactionGuard } from './transaction-guard.ts';

/** The source of announcements: PostgreSQL for all processes, or this process only. */
export interface Announcements {
  notify(channel: string, payload: string): Promise<void>;
  listen(channel: string, listener: (payload: string) => void, options: ListenOptions): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const maxPayloadLength = 7000;
/** Writes some megabytes briefly to test for space. */
const tryRoom = `begin;
  create temp table walkdown_room on commit drop as
    select repeat(md5(n::text), 50) as filler from generate_series(1, 4000) as n;
  rollback`;

/** `Database` plus what core's database layer needs. */
export class PoolDatabase implements Database {
  readonly kind: Database['kind'];
  readonly pool: pg.Pool;
  readonly #guard: TransactionGuard;
  readonly #kysely: Kysely<unknown>;
  readonly #bySchema = new Map<string, Kysely<unknown>>();
  readonly #announcements: Announcements;
  readonly #release: () => Promise<void>;
  #closed: Promise<void> | undefined;
  /** A write failed for lack of space, and no test write has succeeded since. */
  #isFull = false;

  /** `checked`: see `OpenDatabaseOptions`. `release` frees the pool's resources, such as a thread or a lock. */
  constructor(parts: {
    readonly kind: Database['kind'];
    readonly checked: boolean;
    readonly pool: pg.Pool;
    readonly announcements: Announcements;
    readonly release: () => Promise<void>;
  }) {
    this.kind = parts.kind;
    this.pool = parts.pool;
    // The pool listens for errors of idle clients only; an error of a busy client would end the process. Its user gets
    // the error from the next statement.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
    this.#guard = new TransactionGuard(parts.checked);
    this.#announcements = parts.announcements;
    this.#release = parts.release;
    this.#kysely = new Kysely<unknown>({
      dialect: poolDialect(parts.pool, this.#guard, (error) => this.#clean(error)),
    });
  }

  of<T>(schema: string): Kysely<T> {
    const cached = this.#bySchema.get(schema);
    const found = cached ?? this.#kysely.withPlugin(new SchemaPlugin(schema));
    if (!cached) this.#bySchema.set(schema, found);
    // Kysely's `withTables` creates a new instance at each call, for types alone.
    return found as unknown as Kysely<T>;
  }

  async query<R extends object>(sql: string, parameters: readonly unknown[] = []): Promise<readonly R[]> {
    this.#guard.check();
    try {
      const result = await this.pool.query<R & pg.QueryResultRow>(sql, [...parameters]);
      return result.rows;
    } catch (error) {
      throw this.#clean(error);
    }
  }

  /** False while the database's disk is full, as far as writes have shown. Rejects if the database does not respond. */
  async hasRoom(): Promise<boolean> {
    if (!this.#isFull) {
      await this.query('select 1');
      return true;
    }
    try {
      await this.withClient((client) => client.query(tryRoom));
      this.#isFull = false;
    } catch (error) {
      if (!(error instanceof DatabaseFullError)) throw error;
    }
    return !this.#isFull;
  }

  /**
   * One connection for the duration of `work`, with sanitised errors. For what Kysely lacks: session locks, several
   * statements in one text.
   */
  async withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    this.#guard.check();
    let client: pg.PoolClient;
    try {
      client = await this.pool.connect();
    } catch (error) {
      throw this.#clean(error);
    }
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      // It may be inside a transaction, so it is not reused.
      client.release(true);
      throw this.#clean(error);
    }
  }

  async notify(channel: string, payload: string): Promise<void> {
    if (Buffer.byteLength(payload) > maxPayloadLength)
      throw new Error(
        `An announcement on "${channel}" has more than ${maxPayloadLength} bytes. Announce an id and let who listens ` +
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

  #clean(error: unknown): Error {
    const cleaned = toSafeError(error);
    if (cleaned instanceof DatabaseFullError) this.#isFull = true;
    return cleaned;
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
