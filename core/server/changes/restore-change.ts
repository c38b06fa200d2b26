import { isDeepStrictEqual } from 'node:util';
import type { QueryExecutorProvider } from 'kysely';
import { coreRefusal } from '#core/api';
import { conflict } from '../kernel/server-error.ts';
import type { ChangeRecorder, RecordedTables, RowChange } from './change-recorder.ts';
import type { JsonRow } from './change-tables.ts';
import type { RecordedTable } from './content-changes.ts';
import { deleteRows, findDependant, insertRows, loadRows, updateRows } from './restore-rows.ts';

interface RestoredContents {
  readonly schema: string;
  readonly tables: RecordedTables;
  readonly disposable: readonly string[];
}

interface StoredChange {
  readonly name: string;
  readonly rows: readonly RowChange[];
}

/** Records the rows that a change concerns, by the first columns of their keys. */
export async function recordRows(
  recorder: ChangeRecorder,
  tables: RecordedTables,
  rows: readonly RowChange[],
): Promise<void> {
  for (const [table, { key }] of tables) {
    const [column = ''] = key;
    const values = new Set(rows.filter((row) => row.table === table).map((row) => String(row.key[column])));
    await recorder.record(table, column, [...values]);
  }
}

/**
 * Writes the rows as they were before a change, parents before children.
 *
 * @throws `conflict` (409) if a row was changed in the same columns since, or if others depend on a created one
 */
export async function restoreChange(
  transaction: QueryExecutorProvider,
  contents: RestoredContents,
  change: StoredChange,
): Promise<void> {
  const { schema, disposable } = contents;
  const changedSince = (name: unknown): Error =>
    conflict(coreRefusal('core.refused.undoChanged', { name: typeof name === 'string' ? name : change.name }));
  for (const [table, options] of contents.tables) {
    const rows = change.rows.filter((row) => row.table === table);
    if (rows.length === 0) continue;
    const target = { schema, table, key: options.key };
    const current = await loadRows(transaction, target, rows);
    for (const row of rows) {
      const present = current.get(JSON.stringify(options.key.map((column) => row.key[column])));
      if (!isUntouched(row, present, options)) throw changedSince(present?.[options.name ?? '']);
    }
    await insertRows(
      transaction,
      target,
      rows.flatMap(({ before, after }) => (before && !after ? [before] : [])),
    );
    await updateRows(
      transaction,
      target,
      rows.filter(({ before, after }) => before && after),
    );
  }
  for (const [table, { key, name }] of [...contents.tables].reverse()) {
    const created = change.rows.filter((row) => row.table === table && row.before === null);
    if (created.length === 0) continue;
    const target = { schema, table, key };
    if (await findDependant(transaction, target, created, disposable))
      throw changedSince(created[0]?.after?.[name ?? '']);
    await deleteRows(transaction, target, created);
  }
}

/** Whether what a change wrote into a row still stands. */
function isUntouched(
  { before, after }: RowChange,
  present: JsonRow | undefined,
  { derived = [], version }: RecordedTable,
): boolean {
  if (!after) return present === undefined;
  if (!present) return false;
  const compared = Object.keys(after).filter(
    (column) => before !== null || (column !== version && !derived.includes(column)),
  );
  return compared.every((column) => isDeepStrictEqual(present[column], after[column]));
}
