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
