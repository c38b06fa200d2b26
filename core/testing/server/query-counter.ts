import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import type { PoolDatabase } from '../../server/database/pool-database.ts';

type Statements = string[];

/**
 * Records the statements that one call sends to the database, on both kinds of database. Statements of jobs and of
 * other calls at the same time do not count.
 */
export class QueryCounter {
  readonly #current = new AsyncLocalStorage<Statements>();
  readonly #watched = new WeakSet<pg.PoolClient>();

  constructor({ pool }: Pick<PoolDatabase, 'pool'>) {
    pool.on('acquire', (client) => this.#watch(client));
  }

  /** `call` may return a promise that starts its work when it is awaited, as `inject` of Fastify does. */
  async record<T>(call: () => PromiseLike<T>): Promise<{ readonly result: T; readonly statements: readonly string[] }> {
    const statements: Statements = [];
    const result = await this.#current.run(statements, async () => await call());
    return { result, statements };
  }

  #watch(client: pg.PoolClient): void {
    if (this.#watched.has(client)) return;
    this.#watched.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((...given: unknown[]) => {
      this.#current.getStore()?.push(toText(given[0]));
      return query(...given);
    }) as typeof client.query;
  }
}

/** `pg` takes a text, or an object that holds it. */
const toText = (statement: unknown): string =>
  typeof statement === 'object' && statement !== null && 'text' in statement
    ? String(statement.text)
    : String(statement);

/** How many statements of each text there are, the most frequent first: to be read where a count is unexpected. */
export function countStatements(statements: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const text of statements) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([text, count]) => `${count} x ${text}`);
}
