import { sql, type RawBuilder } from 'kysely';
import type { ImportColumn } from '#plugins/imports';

/**
 * The key of a row from its `values`: the folded key columns, joined by U+001F. Null if a required one is missing, or
 * if the key is longer than an index can hold: such a row has an error anyway. A missing value that is not required
 * counts as its default.
 */
export function computeKey(columns: readonly ImportColumn[], values: RawBuilder<unknown>): RawBuilder<string | null> {
  const parts = columns
    .filter(({ key }) => key === true)
    .map((column) => {
      const text = sql`(${values} ->> ${column.id})`;
      return foldKey(column, column.required === true ? text : sql`coalesce(${text}, ${String(column.default ?? '')})`);
    });
  const key = sql.join(parts, sql` || chr(31) || `);
  return sql<string | null>`(case when octet_length(${key}) <= ${maxKeyBytes} then ${key} end)`;
}

/** PostgreSQL folds both sides, because languages differ in what they call lower case. */
export const foldKey = ({ caseSensitive }: ImportColumn, text: RawBuilder<unknown>): RawBuilder<unknown> =>
  caseSensitive === true ? text : sql`lower(${text})`;

const maxKeyBytes = 2000;
