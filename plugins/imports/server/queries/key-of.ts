import { sql, type RawBuilder } from 'kysely';
import type { ImportColumn } from '#plugins/imports';

/**
 * The key of a row from its `values`: the key columns in lower case, joined by U+001F. Null if one is missing, or if
 * the key is longer than an index can hold: such a row has an error anyway. PostgreSQL folds both sides, because
 * languages differ in what they call lower case.
 */
export function computeKey(columns: readonly ImportColumn[], values: RawBuilder<unknown>): RawBuilder<string | null> {
  const parts = columns.filter(({ key }) => key === true).map(({ id }) => sql`lower(${values} ->> ${id})`);
  const key = sql.join(parts, sql` || chr(31) || `);
  return sql<string | null>`(case when octet_length(${key}) <= ${maxKeyBytes} then ${key} end)`;
}

const maxKeyBytes = 2000;
