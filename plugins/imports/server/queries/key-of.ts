import { sql, type RawBuilder } from 'kysely';
import type { ImportColumn } from '#plugins/imports';

/**
 * The key of a row from its `values`: the key columns in lower case, joined by U+001F. Null if one is missing.
 * PostgreSQL folds both sides, because languages differ in what they call lower case.
 */
export function computeKey(columns: readonly ImportColumn[], values: RawBuilder<unknown>): RawBuilder<string | null> {
  const parts = columns.filter(({ key }) => key === true).map(({ id }) => sql`lower(${values} ->> ${id})`);
  return sql<string | null>`(${sql.join(parts, sql` || chr(31) || `)})`;
}
