import {
  CompiledQuery,
  PostgresAdapter,
  PostgresIntrospector,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type QueryExecutorProvider,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type pg from 'pg';
import { queryNamed } from './named-query.ts';
import { runWithClient, type ReadCopies } from './read-copies.ts';
import { SchemaQueryCompiler } from './schema-queries.ts';
import { stalePlan, StatementNames } from './statement-names.ts';
import type { TransactionGuard } from './transaction-guard.ts';

type ToSafeError = (error: unknown) => Error;

const modifyingCommands = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** The connections of a database. The embedded database has one, and copies for reads. */
export interface PoolConnections {
  readonly pool: pg.Pool;
  readonly copies: ReadCopies | undefined;
}

/** Runs a statement that is not in a transaction. */
export const runStatement = <T>(
  { pool, copies }: PoolConnections,
  statement: string,
  send: (client: pg.PoolClient) => Promise<T>,
): Promise<T> => (copies ? copies.run(statement, send) : runWithClient(pool.connect(), send));

/** A connection as Kysely uses it. It occupies one of the pool for each statement, or for a whole transaction. */
class PoolConnection implements DatabaseConnection {
  /** Prepared statements have a generic plan after some uses. */
  preparesStatements = true;
  readonly #connections: PoolConnections;
  readonly #names: StatementNames;
  readonly #toSafeError: ToSafeError;
  /** Undefined unless it is in a transaction. */
  #client: pg.PoolClient | undefined;
  #hasCopy = false;

  constructor(connections: PoolConnections, names: StatementNames, toSafeError: ToSafeError) {
    this.#connections = connections;
    this.#names = names;
    this.#toSafeError = toSafeError;
  }

  async begin(statement: string): Promise<void> {
    try {
      this.#client = await this.#connections.pool.connect();
    } catch (error) {
      throw this.#toSafeError(error);
    }
    await this.executeQuery(CompiledQuery.raw(statement));
  }

  async end(statement: 'commit' | 'rollback'): Promise<void> {
    try {
      await this.executeQuery(CompiledQuery.raw(statement));
    } finally {
      this.#closeCopy();
    }
  }

  release(): void {
    this.#closeCopy();
    this.#client?.release();
    this.#client = undefined;
  }

  /** Lets others read from a copy until this transaction ends, if the database has only one session. */
  async openCopy(): Promise<void> {
    const { copies } = this.#connections;
    if (!copies || !this.#client) return;
    this.#hasCopy = true;
    await copies.open(this.#client);
  }

  #closeCopy(): void {
    if (this.#hasCopy) this.#connections.copies?.close();
    this.#hasCopy = false;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const send = (client: pg.PoolClient) => this.#send<R & pg.QueryResultRow>(client, query.sql, [...query.parameters]);
    try {
      const result = await (this.#client ? send(this.#client) : runStatement(this.#connections, query.sql, send));
      return modifyingCommands.has(result.command)
        ? { rows: result.rows, numAffectedRows: BigInt(result.rowCount ?? 0) }
        : { rows: result.rows };
    } catch (error) {
      throw this.#toSafeError(error);
    }
  }

  async #send<R extends pg.QueryResultRow>(
    client: pg.PoolClient,
    text: string,
    values: unknown[],
  ): Promise<pg.QueryResult<R>> {
    const name = this.preparesStatements ? this.#names.findName(text, values) : undefined;
    if (name === undefined) return client.query<R>(text, values);
    try {
      return await queryNamed<R>(client, { name, text, values });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === stalePlan)) throw error;
      this.#names.rename(text);
      // The error has aborted the transaction, so a retry would fail too.
      if (this.#client) throw error;
      return client.query<R>(text, values);
    }
  }

  // eslint-disable-next-line require-yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming of rows is not supported. Page through the rows by a key.');
  }
}

/** Kysely's driver over a `pg.Pool`: refuses queries that bypass their transaction, and sanitises errors. */
class PoolDriver implements Driver {
  readonly #connections: PoolConnections;
  readonly #guard: TransactionGuard;
  readonly #names = new StatementNames();
  readonly #toSafeError: ToSafeError;

  constructor(connections: PoolConnections, guard: TransactionGuard, toSafeError: ToSafeError) {
    this.#connections = connections;
    this.#guard = guard;
    this.#toSafeError = toSafeError;
  }

  async init(): Promise<void> {
    // The pool connects at first use.
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#guard.check();
    return new PoolConnection(this.#connections, this.#names, this.#toSafeError);
  }

  async beginTransaction(connection: PoolConnection, settings: TransactionSettings): Promise<void> {
    this.#guard.begin(connection);
    const clauses = ['start transaction'];
    if (settings.isolationLevel) clauses.push(`isolation level ${settings.isolationLevel}`);
    if (settings.accessMode) clauses.push(settings.accessMode);
    await connection.begin(clauses.join(' '));
  }

  async commitTransaction(connection: PoolConnection): Promise<void> {
    this.#guard.end(connection);
    await connection.end('commit');
  }

  async rollbackTransaction(connection: PoolConnection): Promise<void> {
    this.#guard.end(connection);
    await connection.end('rollback');
  }

  async releaseConnection(connection: PoolConnection): Promise<void> {
    this.#guard.end(connection);
    connection.release();
  }

  async destroy(): Promise<void> {
    // The database owns and closes the pool.
  }
}

/**
 * Makes PostgreSQL plan each statement of this transaction for its own values. A cached plan for few rows takes minutes
 * for many rows. Foreign key checks keep their cached plans, unlike with `force_custom_plan`, which makes inserts four
 * times as slow.
 */
export async function planEachStatement(transaction: QueryExecutorProvider): Promise<void> {
  await withConnection(transaction, async (connection) => {
    connection.preparesStatements = false;
  });
}

/**
 * Lets the statements of this transaction of a job take ten minutes each. Those of requests may take 30 seconds, which
 * the checks of 100,000 rows exceed on a busy server. The embedded database has no limits.
 */
export const allowLongStatements = (transaction: QueryExecutorProvider): Promise<void> =>
  withConnection(transaction, setLongTimeout);

/** A transaction that writes this many rows takes seconds on the embedded database. */
const manyRows = 10_000;

/**
 * Prepares a transaction that writes `rowCount` rows: allows long statements, and from 10,000 rows on lets others read
 * from a copy of the embedded database until it ends. Call it before the first write.
 */
export const expectManyRows = (transaction: QueryExecutorProvider, rowCount: number): Promise<void> =>
  withConnection(transaction, async (connection) => {
    if (rowCount >= manyRows) await connection.openCopy();
    await setLongTimeout(connection);
  });

async function setLongTimeout(connection: PoolConnection): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw("set local statement_timeout = '10min'"));
}

const withConnection = (
  transaction: QueryExecutorProvider,
  use: (connection: PoolConnection) => Promise<void>,
): Promise<void> =>
  transaction.getExecutor().provideConnection(async (connection) => {
    if (!(connection instanceof PoolConnection)) throw new Error('This is not a transaction of the database.');
    await use(connection);
  });

/** `toSafeError` converts every database error. */
export function createPoolDialect(
  connections: PoolConnections,
  guard: TransactionGuard,
  toSafeError: ToSafeError,
): Dialect {
  return {
    createDriver: () => new PoolDriver(connections, guard, toSafeError),
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new SchemaQueryCompiler(),
    createIntrospector: (database: Parameters<Dialect['createIntrospector']>[0]): DatabaseIntrospector =>
      new PostgresIntrospector(database),
  };
}
