import { DatabaseAwayError } from '../../server/database/database-error.ts';
import type { Database } from '../../server/database/database.ts';
import { withOverride } from './with-override.ts';

/**
 * A database whose connection is lost while the answer to a commit is on its way: the transaction took effect, and its
 * caller is told that the database is away.
 */
export function withLostCommits(database: Pick<Database, 'of'>): Pick<Database, 'of'> {
  return {
    of: <T>(schema: string) => {
      const tables = database.of<T>(schema);
      return withOverride(tables, 'transaction', () => ({
        execute: async (work: Parameters<ReturnType<typeof tables.transaction>['execute']>[0]) => {
          await tables.transaction().execute(work);
          throw new DatabaseAwayError('The connection was lost.');
        },
      }));
    },
  };
}
