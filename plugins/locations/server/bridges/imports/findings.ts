import { sql, type RawBuilder } from 'kysely';
import type { validationMessages } from '#core';
import type { CheckContext } from '#plugins/imports';

type MessageId =
  | `locations.refused.${string}`
  | 'imports.refused.reference'
  | (typeof validationMessages)[keyof typeof validationMessages];

/** The columns of a finding, as `ImportSheet.check` returns them. `values` are those of the message's placeholders. */
export function finding(
  column: string | RawBuilder<unknown>,
  message: MessageId,
  values: Readonly<Record<string, RawBuilder<unknown>>> = {},
  severity: 'ERROR' | 'WARNING' = 'ERROR',
): RawBuilder<unknown> {
  const pairs = Object.entries(values).flatMap(([name, value]) => [sql`${name}::text`, value]);
  return sql`
    id, ${typeof column === 'string' ? sql`${column}` : column}::text as column_id, ${message}::text as message,
    jsonb_build_object(${pairs.length === 0 ? sql`` : sql.join(pairs)}) as values, ${severity}::text as severity`;
}

/** The rows of the files with the values that they will have: `id, number, key, state, before, values`. */
export const givenRows = ({ rows }: Pick<CheckContext, 'rows'>, sheet: string): RawBuilder<unknown> => sql`
  select id, number, key, state, before, coalesce(before, '{}') || values as values
  from (${rows(sheet)}) as staged where number is not null and key is not null`;
