import { isDeepStrictEqual } from 'node:util';
import {
  sql,
  type Insertable,
  type Kysely,
  type QueryExecutorProvider,
  type Selectable,
  type Transaction,
} from 'kysely';
import { notFound } from '../kernel/server-error.ts';
import type { RowChange } from './change-recorder.ts';
import type { ChangeTables, JsonRow } from './change-tables.ts';
import { toKeyText } from './keyed-rows.ts';

export interface StoredChange extends Selectable<ChangeTables['change']> {
  readonly rows: readonly RowChange[];
}

/** Rows per insert into the journal. Their JSON takes about 4 MB. */
const rowsPerInsert = 2_000;

/**
 * Writes a change and its rows into the journal, in the transaction of the change. Converts rows with `toRow` in
 * batches to save memory.
 */
export async function insertChange<Row>(
  transaction: QueryExecutorProvider,
  change: Insertable<ChangeTables['change']>,
  rows: readonly Row[],
  toRow: (row: Row) => RowChange,
): Promise<void> {
  const journal = (transaction as unknown as Transaction<ChangeTables>).withSchema('core');
  await journal.insertInto('change').values(change).execute();
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    const batch = rows
      .slice(start, start + rowsPerInsert)
      .map((row, index) => ({ number: start + index, ...toRow(row) }));
    // A JSON null is the absence of a row.
    await sql`
      insert into core.change_row (change, number, table_name, key, before, after)
      select ${change.uid}, number, "table", key, nullif(before, 'null'), nullif(after, 'null')
      from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb)
        as row (number integer, "table" text, key jsonb, before jsonb, after jsonb)`.execute(transaction);
  }
}

/** @throws `notFound` (404) */
export async function loadChange(tables: Kysely<ChangeTables>, uid: string): Promise<StoredChange> {
  const change = await tables.selectFrom('change').selectAll().where('uid', '=', uid).executeTakeFirst();
  if (!change) throw notFound('This change');
  const rows = await tables
    .selectFrom('change_row')
    .select(['table_name as table', 'key', 'before', 'after'])
    .where('change', '=', uid)
    .orderBy('number')
    .execute();
  return { ...change, rows };
}

/** @see ContentChanges.listEffectiveChanges */
export async function listEffectiveChanges(
  tables: Kysely<ChangeTables>,
  changes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  // If an undo keeps all rows, the change is recorded as undone by itself.
  const { rows } = await sql<{ change: string; latest: string; undoings: number }>`
      with recursive link as (
        select uid as change, uid as latest, 0 as undoings, undone_by from core.change
        where uid = any(${[...changes]}::text[])
        union all
        select link.change, following.uid, undoings + 1, nullif(following.undone_by, following.uid)
        from link join core.change as following on following.uid = link.undone_by
      )
      select distinct on (change) change, latest, undoings from link
      order by change, undoings desc`.execute(tables);
  return new Map(rows.flatMap((row) => (row.undoings % 2 === 0 ? [[row.change, row.latest] as const] : [])));
}

/** @see ContentChanges.findCreation */
export async function findCreation(
  tables: Kysely<ChangeTables>,
  owner: string,
  { table, key }: { readonly table: string; readonly key: readonly string[] },
  rows: readonly JsonRow[],
): Promise<{ readonly change: string; readonly author: string } | undefined> {
  // Values are compared in the form in which the database writes them: -0 is 0.
  const expectedRows = JSON.parse(JSON.stringify(rows)) as readonly JsonRow[];
  const firstKey = JSON.stringify(Object.fromEntries(key.map((column) => [column, expectedRows[0]?.[column]])));
  const change = await tables
    .selectFrom('change_row')
    .innerJoin('change', 'change.uid', 'change_row.change')
    .select(['change.uid', 'change.author'])
    .where('change.owner', '=', owner)
    .where('change.undone_by', 'is', null)
    .where('table_name', '=', table)
    .where(sql<boolean>`key = ${firstKey}::jsonb`)
    .where('before', 'is', null)
    .orderBy('change.at', 'desc')
    .executeTakeFirst();
  if (!change) return undefined;
  const createdRows = await tables
    .selectFrom('change_row')
    .select('after')
    .where('change', '=', change.uid)
    .where('table_name', '=', table)
    .where('before', 'is', null)
    .execute();
  const byKey = new Map(createdRows.map(({ after }) => [toKeyText({ key }, after ?? {}), after]));
  const isSame = expectedRows.every((row) => {
    const rowAfter = byKey.get(toKeyText({ key }, row));
    return rowAfter && Object.entries(row).every(([column, value]) => isDeepStrictEqual(rowAfter[column], value));
  });
  return isSame ? { change: change.uid, author: change.author } : undefined;
}
