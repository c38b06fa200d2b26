import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import type { JsonRow } from './change-tables.ts';

const valuesPerQuery = 2000;
const maxSharedTexts = 10_000;

export interface TargetTable {
  readonly schema: string;
  readonly table: string;
  readonly key: readonly string[];
}

/** SQL set of rows from JSON objects, with null in missing columns. */
export const toRecordset = ({ schema, table }: TargetTable, rows: readonly JsonRow[]): RawBuilder<unknown> =>
  sql`jsonb_populate_recordset(null::${sql.id(schema, table)}, ${JSON.stringify(rows)}::jsonb)`;

/** SQL condition: a row of `target` has the key of a row of `input`. */
export const matchesKey = ({ key }: TargetTable): RawBuilder<unknown> =>
  sql.join(
    key.map((column) => sql`${sql.id('target', column)} = ${sql.id('input', column)}`),
    sql` and `,
  );

/** A text that identifies a row in its table. For a single key column it is the value itself, to save memory. */
export const toKeyText = ({ key: [first = '', ...others] }: Pick<TargetTable, 'key'>, row: JsonRow): string =>
  others.length === 0 ? String(row[first]) : JSON.stringify([first, ...others].map((column) => row[column]));

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
    join ${toRecordset(target, keys)} as input on ${matchesKey(target)}
    order by ${orderByKey(target)} ${sql.raw(lock ? 'for update of target' : '')}`.execute(transaction);
  return rows.map(({ row }) => row);
}

/**
 * Reads the rows with one of these values in a text column. They are sorted by key if that column is the key. Queries
 * 2,000 values at a time, so that the process can serve other requests in between and needs little memory.
 */
export async function* readRowsByColumn(
  transaction: QueryExecutorProvider,
  target: TargetTable,
  column: string,
  values: readonly string[],
  { lock }: { readonly lock: boolean },
): AsyncGenerator<readonly JsonRow[]> {
  const sortedValues = values.toSorted();
  const texts = new Map<string, string>();
  for (let start = 0; start < sortedValues.length; start += valuesPerQuery) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(target.*) as row from ${sql.id(target.schema, target.table)} as target
      where ${sql.id('target', column)} = any(${sortedValues.slice(start, start + valuesPerQuery)}::text[])
      order by ${orderByKey(target)} ${sql.raw(lock ? 'for update' : '')}`.execute(transaction);
    for (const { row } of rows) shareTexts(row, texts);
    yield rows.map(({ row }) => row);
  }
}

/**
 * Replaces texts of the row by equal texts of earlier rows, so that repeated texts, such as states and uids, share
 * memory.
 */
function shareTexts(row: Record<string, unknown>, texts: Map<string, string>): void {
  for (const [column, value] of Object.entries(row)) {
    if (typeof value !== 'string') continue;
    const sharedText = texts.get(value);
    if (sharedText !== undefined) row[column] = sharedText;
    else if (texts.size < maxSharedTexts) texts.set(value, value);
  }
}

const orderByKey = ({ key }: TargetTable): RawBuilder<unknown> =>
  sql.join(key.map((column) => sql.id('target', column)));
