import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import type { JsonRow } from './change-tables.ts';

export interface TargetTable {
  readonly schema: string;
  readonly table: string;
  readonly key: readonly string[];
}

/** The rows of these JSON objects, with null in columns that they lack. */
export const fromJson = ({ schema, table }: TargetTable, rows: readonly JsonRow[]): RawBuilder<unknown> =>
  sql`jsonb_populate_recordset(null::${sql.id(schema, table)}, ${JSON.stringify(rows)}::jsonb)`;

/** SQL condition: a row of `target` has the key of a row of `given`. */
export const onKey = ({ key }: TargetTable): RawBuilder<unknown> =>
  sql.join(
    key.map((column) => sql`${sql.id('target', column)} = ${sql.id('given', column)}`),
    sql` and `,
  );

export const toKeyText = ({ key }: Pick<TargetTable, 'key'>, row: JsonRow): string =>
  JSON.stringify(key.map((column) => row[column]));

/** Loads the rows with these keys, sorted by key. */
export async function loadRowsByKey(
  transaction: QueryExecutorProvider,
  target: TargetTable,
  keys: readonly JsonRow[],
  { lock }: { readonly lock: boolean },
): Promise<readonly JsonRow[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<{ row: JsonRow }>`
    select to_jsonb(target.*) as row from ${sql.id(target.schema, target.table)} as target
    join ${fromJson(target, keys)} as given on ${onKey(target)}
    order by ${orderByKey(target)} ${sql.raw(lock ? 'for update of target' : '')}`.execute(transaction);
  return rows.map(({ row }) => row);
}

/** Loads the rows with one of these values in a text column, sorted by key. */
export async function loadRowsByColumn(
  transaction: QueryExecutorProvider,
  target: TargetTable,
  column: string,
  values: readonly string[],
  { lock }: { readonly lock: boolean },
): Promise<readonly JsonRow[]> {
  const { rows } = await sql<{ row: JsonRow }>`
    select to_jsonb(target.*) as row from ${sql.id(target.schema, target.table)} as target
    where ${sql.id('target', column)} = any(${[...values]}::text[])
    order by ${orderByKey(target)} ${sql.raw(lock ? 'for update' : '')}`.execute(transaction);
  return rows.map(({ row }) => row);
}

const orderByKey = ({ key }: TargetTable): RawBuilder<unknown> =>
  sql.join(key.map((column) => sql.id('target', column)));
