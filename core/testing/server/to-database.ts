import { CompiledQuery, type Kysely } from 'kysely';
import type { Database } from '../../server/database/database.ts';

/** All schemas, for a test plugin that prepares rows of other plugins in its own process. */
export const toDatabase = (tables: Kysely<unknown>): Pick<Database, 'of' | 'query'> => ({
  of: <T>(schema: string) => tables.withoutPlugins().withSchema(schema) as Kysely<unknown> as Kysely<T>,
  query: async <R extends object>(text: string, values: readonly unknown[] = []) =>
    (await tables.executeQuery<R>(CompiledQuery.raw(text, [...values]))).rows,
});
