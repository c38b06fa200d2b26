import { isDeepStrictEqual } from 'node:util';
import type { QueryExecutorProvider } from 'kysely';
import { coreRefusal } from '#core/api';
import { conflict } from '../kernel/server-error.ts';
import type { ChangeRecorder, RecordedTables, RowChange } from './change-recorder.ts';
import type { JsonRow } from './change-tables.ts';
import type { RecordedTable } from './content-changes.ts';
import { deleteRows, insertRows, listDependedOn, updateRows } from './restore-rows.ts';

export interface RestoredContents {
  readonly schema: string;
  readonly tables: RecordedTables;
  readonly disposable: readonly string[];
}

export interface StoredChange {
  readonly name: string;
  readonly rows: readonly RowChange[];
}

/** Locks and records the rows of a change, children before parents, as jobs lock them. */
export async function recordRows(
  recorder: ChangeRecorder,
  tables: RecordedTables,
  rows: readonly RowChange[],
): Promise<void> {
  for (const table of [...tables.keys()].reverse())
    await recorder.recordKeys(
      table,
      rows.filter((row) => row.table === table).map(({ key }) => key),
    );
}

/**
 * Writes the recorded rows as they were before a change, parents before children.
 *
 * @throws `conflict` (409) if a row was changed in the same columns since, or if others depend on a created one
 */
export async function restoreChange(
  transaction: QueryExecutorProvider,
  recorder: ChangeRecorder,
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
    for (const row of rows) {
      const present = recorder.findBefore(table, row.key);
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
    if ((await listDependedOn(transaction, target, created, disposable)).size > 0)
      throw changedSince(created[0]?.after?.[name ?? '']);
    await deleteRows(transaction, target, created);
  }
}

/** Whether what a change wrote into a row still stands. */
export function isUntouched(
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
