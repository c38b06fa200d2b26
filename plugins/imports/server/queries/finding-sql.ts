import { sql, type RawBuilder } from 'kysely';

type FindingValue = string | number | RawBuilder<unknown>;

/** The columns `message` and `values` of a finding, as a part of a `select`. Values may be SQL expressions. */
export function selectFinding(
  message: string,
  values: Readonly<Record<string, FindingValue>> = {},
): RawBuilder<unknown> {
  const pairs = Object.entries(values).flatMap(([name, value]) => [
    sql`${name}::text`,
    typeof value === 'string' ? sql`${value}::text` : typeof value === 'number' ? sql`${value}::float8` : value,
  ]);
  return sql`${message}::text as message, jsonb_build_object(${sql.join(pairs)}) as values`;
}

/** Errors of values that can be read in two ways. */
const readingMessages = ['date', 'comma', 'point', 'readingsConverted'].map((name) => `imports.refused.${name}`);

/**
 * Whether a finding belongs to a value of a column that a person chose not to read in any format (AS_WRITTEN): then the
 * value is wrong only because of its column. `finding` is the name of its table in the query.
 */
export const isOfUnreadColumn = (finding: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  not ${finding}.checked and ${finding}.severity = 'ERROR' and ${finding}.message = any(${readingMessages}::text[])
  and exists (
    select from imports.sheet as own_sheet cross join lateral jsonb_array_elements(own_sheet.headers) as header
    where own_sheet.batch = ${finding}.batch and own_sheet.sheet = ${finding}.sheet
      and header ->> 'column' = ${finding}.column_id and header ->> 'format' = 'AS_WRITTEN'))`;
