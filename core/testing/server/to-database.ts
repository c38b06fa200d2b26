import { CompiledQuery, type Kysely } from 'kysely';
import type { Database } from '../../server/database/database.ts';

/** Gives access to all schemas, for a test plugin that inserts rows of other plugins in the server's process. */
export const toDatabase = (tables: Kysely<unknown>): Pick<Database, 'of' | 'query'> => ({
  of: <T>(schema: string) => tables.withoutPlugins().withSchema(schema) as Kysely<unknown> as Kysely<T>,
  query: async <R extends object>(text: string, values: readonly unknown[] = []) =>
    (await tables.executeQuery<R>(CompiledQuery.raw(text, [...values]))).rows,
});
