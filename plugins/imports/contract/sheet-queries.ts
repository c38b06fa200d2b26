import { sql, type RawBuilder } from 'kysely';
import type { validationMessages } from '#core';
import type { CheckContext } from './kinds.ts';

type FindingMessage = `${string}.refused.${string}` | (typeof validationMessages)[keyof typeof validationMessages];

/**
 * Builds the select list of a finding as `ImportSheet.check` requires it. The query selects from rows with the column
 * `id`. `values` fill the placeholders of the message.
 */
export function finding(
  column: string | RawBuilder<unknown>,
  message: FindingMessage,
  values: Readonly<Record<string, RawBuilder<unknown>>> = {},
  severity: 'ERROR' | 'WARNING' = 'ERROR',
): RawBuilder<unknown> {
  const pairs = Object.entries(values).flatMap(([name, value]) => [sql`${name}::text`, value]);
  return sql`
    id, ${typeof column === 'string' ? sql`${column}` : column}::text as column_id, ${message}::text as message,
    jsonb_build_object(${pairs.length === 0 ? sql`` : sql.join(pairs)}) as values, ${severity}::text as severity`;
}

/** Combines queries with the same columns into one. */
export const unionAll = (...queries: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql.join(queries, sql` union all `);

/**
 * The rows of a sheet in the files: a query with the columns `id, number, key, state, before`, `own` (the values in the
 * file) and `values` (all values that the row will have after the import).
 */
export const importedRows = ({ rows }: Pick<CheckContext, 'rows'>, sheet: string): RawBuilder<unknown> => sql`
  select id, number, key, state, before, values as own, coalesce(before, '{}') || values as values
  from (${rows(sheet)}) as staged where number is not null and key is not null`;
