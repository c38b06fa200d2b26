import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import type { PoolDatabase } from '../../server/database/pool-database.ts';

type Statements = string[];

/** Records SQL statements on both kinds of database. */
export class QueryCounter {
  readonly #current = new AsyncLocalStorage<Statements>();
  readonly #recordings = new Set<Statements>();
  readonly #watched = new WeakSet<pg.PoolClient>();

  constructor({ pool }: Pick<PoolDatabase, 'pool'>) {
    pool.on('acquire', (client) => this.#watch(client));
  }

  /**
   * Ignores jobs and concurrent calls. `call` may return a lazy promise that starts when awaited, like Fastify's
   * `inject`.
   */
  async record<T>(call: () => PromiseLike<T>): Promise<{ readonly result: T; readonly statements: readonly string[] }> {
    const statements: Statements = [];
    const result = await this.#current.run(statements, async () => await call());
    return { result, statements };
  }

  /** Also records the statements of jobs and of concurrent calls. */
  async recordAll(call: () => PromiseLike<unknown>): Promise<readonly string[]> {
    const statements: Statements = [];
    this.#recordings.add(statements);
    try {
      await call();
    } finally {
      this.#recordings.delete(statements);
    }
    return statements;
  }

  #watch(client: pg.PoolClient): void {
    if (this.#watched.has(client)) return;
    this.#watched.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      const text = toText(args[0]);
      this.#current.getStore()?.push(text);
      for (const recording of this.#recordings) recording.push(text);
      return query(...args);
    }) as typeof client.query;
  }
}

/** `pg` accepts a text or an object with a text. */
const toText = (statement: unknown): string =>
  typeof statement === 'object' && statement !== null && 'text' in statement
    ? String(statement.text)
    : String(statement);

/** Counts of statements by text, most frequent first, to explain an unexpected count. */
export function countStatements(statements: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const text of statements) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([text, count]) => `${count} x ${text}`);
}
