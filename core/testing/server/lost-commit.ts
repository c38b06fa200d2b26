import type { Kysely } from 'kysely';
import { DatabaseUnavailableError } from '../../server/kernel/database-error.ts';
import { withOverride } from './with-override.ts';

/**
 * A database that loses its connection after each commit. The transaction takes effect, but its caller gets an error.
 */
export function withLostCommits<T>(tables: Kysely<T>): Kysely<T> {
  return withOverride(tables, 'transaction', () => ({
    execute: async (work: Parameters<ReturnType<typeof tables.transaction>['execute']>[0]) => {
      await tables.transaction().execute(work);
      throw new DatabaseUnavailableError('The connection was lost.');
    },
  }));
}
