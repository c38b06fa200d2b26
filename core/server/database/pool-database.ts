import { Kysely } from 'kysely';
import type pg from 'pg';
import { toSafeError, DatabaseFullError } from '../kernel/database-error.ts';
import type { Database, ListenOptions } from './database.ts';
import { createPoolDialect, runStatement, type PoolConnections } from './pool-driver.ts';
import type { ReadCopies } from './read-copies.ts';
import { SchemaPlugin } from './schema-queries.ts';
import { TransactionGuard } from './transaction-guard.ts';

/** Announcements to all processes by PostgreSQL, or within this process. */
export interface Announcements {
  notify(channel: string, payload: string): Promise<void>;
  listen(channel: string, listener: (payload: string) => void, options: ListenOptions): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const maxPayloadLength = 7000;
/** Writes some megabytes and rolls them back, which fails if the disk is full. */
const writeTestSql = `begin;
  create temp table walkdown_room on commit drop as
    select repeat(md5(n::text), 50) as filler from generate_series(1, 4000) as n;
  rollback`;

/** A database with the additional functions that core's database layer uses. */
export class PoolDatabase implements Database {
  readonly kind: Database['kind'];
  readonly pool: pg.Pool;
  readonly #connections: PoolConnections;
  readonly #guard: TransactionGuard;
  readonly #kysely: Kysely<unknown>;
  readonly #bySchema = new Map<string, Kysely<unknown>>();
  readonly #announcements: Announcements;
  readonly #release: () => Promise<void>;
  #closed: Promise<void> | undefined;
  /** Whether a write failed for lack of space, and no test write has succeeded since. */
  #isFull = false;

  /** See `OpenDatabaseOptions` for `checked`. `release` frees the pool's resources, such as a thread or a lock. */
  constructor(options: {
    readonly kind: Database['kind'];
    readonly checked: boolean;
    readonly pool: pg.Pool;
    readonly copies?: ReadCopies;
    readonly announcements: Announcements;
    readonly release: () => Promise<void>;
  }) {
    this.kind = options.kind;
    this.pool = options.pool;
    this.#connections = { pool: options.pool, copies: options.copies };
    // The pool listens for errors of idle clients only, and an error without a listener ends the process. The user of a
    // busy client gets the error from the next statement.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
    this.#guard = new TransactionGuard(options.checked);
    this.#announcements = options.announcements;
    this.#release = options.release;
    this.#kysely = new Kysely<unknown>({
      dialect: createPoolDialect(this.#connections, this.#guard, (error) => this.#toSafeError(error)),
    });
  }

  of<T>(schema: string): Kysely<T> {
    const cached = this.#bySchema.get(schema);
    const schemaKysely = cached ?? this.#kysely.withPlugin(new SchemaPlugin(schema));
    if (!cached) this.#bySchema.set(schema, schemaKysely);
    // A cast, because Kysely's `withTables` would create a new instance at each call.
    return schemaKysely as unknown as Kysely<T>;
  }

  async query<R extends object>(sql: string, parameters: readonly unknown[] = []): Promise<readonly R[]> {
    this.#guard.check();
    try {
      const result = await runStatement(this.#connections, sql, (client) =>
        client.query<R & pg.QueryResultRow>(sql, [...parameters]),
      );
      return result.rows;
    } catch (error) {
      throw this.#toSafeError(error);
    }
  }

  /**
   * Returns whether the database disk has free space, based on the latest writes. Rejects if the database does not
   * respond.
   */
  async hasSpace(): Promise<boolean> {
    if (!this.#isFull) {
      await this.query('select 1');
      return true;
    }
    try {
      await this.withClient((client) => client.query(writeTestSql));
      this.#isFull = false;
    } catch (error) {
      if (!(error instanceof DatabaseFullError)) throw error;
    }
    return !this.#isFull;
  }

  /**
   * Reserves one connection for `work`, and sanitises its errors. For functions that Kysely lacks, such as session
   * locks and several statements in one text.
   */
  async withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    this.#guard.check();
    let client: pg.PoolClient;
    try {
      client = await this.pool.connect();
    } catch (error) {
      throw this.#toSafeError(error);
    }
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      // The connection may be inside a transaction, so it is not reused.
      client.release(true);
      throw this.#toSafeError(error);
    }
  }

  async notify(channel: string, payload: string): Promise<void> {
    if (Buffer.byteLength(payload) > maxPayloadLength)
      throw new Error(
        `An announcement on "${channel}" has more than ${maxPayloadLength} bytes. Announce an id and let listeners load ` +
          'the data.',
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

  #toSafeError(error: unknown): Error {
    const safeError = toSafeError(error);
    if (safeError instanceof DatabaseFullError) this.#isFull = true;
    return safeError;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#announcements.close();
    await this.pool.end();
    await this.#connections.copies?.finish();
    await this.#release();
  }
}
