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
import { SchemaQueryCompiler } from './schema-queries.ts';
import { stalePlan, StatementNames } from './statement-names.ts';
import type { TransactionGuard } from './transaction-guard.ts';

type ToSafeError = (error: unknown) => Error;

const modifyingCommands = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

class PoolConnection implements DatabaseConnection {
  readonly client: pg.PoolClient;
  inTransaction = false;
  /** Prepared statements have a generic plan after some uses. */
  preparesStatements = true;
  readonly #names: StatementNames;
  readonly #toSafeError: ToSafeError;

  constructor(client: pg.PoolClient, names: StatementNames, toSafeError: ToSafeError) {
    this.client = client;
    this.#names = names;
    this.#toSafeError = toSafeError;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      const result = await this.#run<R & pg.QueryResultRow>(query.sql, [...query.parameters]);
      return modifyingCommands.has(result.command)
        ? { rows: result.rows, numAffectedRows: BigInt(result.rowCount ?? 0) }
        : { rows: result.rows };
    } catch (error) {
      throw this.#toSafeError(error);
    }
  }

  async #run<R extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<pg.QueryResult<R>> {
    const name = this.preparesStatements ? this.#names.findName(text, values) : undefined;
    if (name === undefined) return this.client.query<R>(text, values);
    try {
      return await queryNamed<R>(this.client, { name, text, values });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === stalePlan)) throw error;
      this.#names.rename(text);
      // The error has aborted the transaction, so a retry would fail too.
      if (this.inTransaction) throw error;
      return this.client.query<R>(text, values);
    }
  }

  // eslint-disable-next-line require-yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming of rows is not supported. Page through the rows by a key.');
  }
}

/** Kysely's driver over a `pg.Pool`: refuses queries that bypass their transaction, and sanitises errors. */
class PoolDriver implements Driver {
  readonly #pool: pg.Pool;
  readonly #guard: TransactionGuard;
  readonly #names = new StatementNames();
  readonly #toSafeError: ToSafeError;

  constructor(pool: pg.Pool, guard: TransactionGuard, toSafeError: ToSafeError) {
    this.#pool = pool;
    this.#guard = guard;
    this.#toSafeError = toSafeError;
  }

  async init(): Promise<void> {
    // The pool connects at first use.
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#guard.check();
    try {
      return new PoolConnection(await this.#pool.connect(), this.#names, this.#toSafeError);
    } catch (error) {
      throw this.#toSafeError(error);
    }
  }

  async beginTransaction(connection: PoolConnection, settings: TransactionSettings): Promise<void> {
    this.#guard.begin(connection);
    connection.inTransaction = true;
    const clauses = ['start transaction'];
    if (settings.isolationLevel) clauses.push(`isolation level ${settings.isolationLevel}`);
    if (settings.accessMode) clauses.push(settings.accessMode);
    await connection.executeQuery(CompiledQuery.raw(clauses.join(' ')));
  }

  async commitTransaction(connection: PoolConnection): Promise<void> {
    this.#guard.end(connection);
    connection.inTransaction = false;
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: PoolConnection): Promise<void> {
    this.#guard.end(connection);
    connection.inTransaction = false;
    await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async releaseConnection(connection: PoolConnection): Promise<void> {
    this.#guard.end(connection);
    connection.client.release();
  }

  async destroy(): Promise<void> {
    // The database owns and closes the pool.
  }
}

/**
 * Plans each statement of this transaction for its own values: for many rows, the plan that suits the usual few takes
 * minutes. Checks of foreign keys keep their plans, unlike with PostgreSQL's `force_custom_plan`, by which each row of
 * an insert takes four times as long.
 */
export async function planEachStatement(transaction: QueryExecutorProvider): Promise<void> {
  await transaction.getExecutor().provideConnection(async (connection) => {
    if (!(connection instanceof PoolConnection)) throw new Error('This is not a transaction of the database.');
    connection.preparesStatements = false;
  });
}

/** `toSafeError` converts every database error. */
export function createPoolDialect(pool: pg.Pool, guard: TransactionGuard, toSafeError: ToSafeError): Dialect {
  return {
    createDriver: () => new PoolDriver(pool, guard, toSafeError),
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new SchemaQueryCompiler(),
    createIntrospector: (database: Parameters<Dialect['createIntrospector']>[0]): DatabaseIntrospector =>
      new PostgresIntrospector(database),
  };
}
