import { isDeepStrictEqual } from 'node:util';
import type { QueryExecutorProvider } from 'kysely';
import { coreRefusal } from '#core/api';
import { conflict } from '../kernel/server-error.ts';
import type { ChangeRecorder, RecordedTables, RowChange } from './change-recorder.ts';
import type { JsonRow } from './change-tables.ts';
import type { BlockedRow, RecordedTable } from './content-changes.ts';
import { writeByHalving } from './write-by-halving.ts';
import { deleteRows, insertRows, listReferencedKeys, updateRows } from './restore-rows.ts';
import type { StoredChange } from './stored-changes.ts';

export interface RestoredContents {
  readonly tables: RecordedTables;
  readonly disposable: readonly string[];
  readonly findBlocked: (rows: readonly RowChange[]) => Promise<readonly BlockedRow[]>;
}

export type ChangeToUndo = Pick<StoredChange, 'name' | 'rows'>;

/** Locks and records the rows of a change, children before parents, in the same order as jobs lock them. */
export async function lockAndRecordRows(
  recorder: ChangeRecorder,
  tables: RecordedTables,
  rows: readonly RowChange[],
): Promise<void> {
  for (const table of [...tables.keys()].reverse())
    await recorder.lockAndRecordKeys(
      table,
      rows.filter((row) => row.table === table).map(({ key }) => key),
    );
}

/**
 * Restores the recorded rows as they were before a change, parents before children.
 *
 * @throws `conflict` (409) if the same columns of a row were changed since, if other rows depend on a created row, or
 *   if a rule of the contents forbids it
 */
export async function restoreChange(
  transaction: QueryExecutorProvider,
  recorder: ChangeRecorder,
  contents: RestoredContents,
  change: ChangeToUndo,
): Promise<void> {
  const { disposable } = contents;
  const [blocked] = await contents.findBlocked(change.rows);
  if (blocked) throw conflict(blocked.reason);
  const createChangedError = (name: unknown): Error =>
    conflict(coreRefusal('core.refused.undoChanged', { name: typeof name === 'string' ? name : change.name }));
  for (const [table, options] of contents.tables) {
    const rows = change.rows.filter((row) => row.table === table);
    if (rows.length === 0) continue;
    const target = { table, ...options };
    for (const row of rows) {
      const currentRow = recorder.findBefore(table, row.key);
      if (!isUntouched(row, currentRow, options)) throw createChangedError(currentRow?.[options.name ?? '']);
    }
    const insert = (group: readonly RowChange[]): Promise<void> =>
      insertRows(
        transaction,
        target,
        group.flatMap(({ before }) => (before ? [before] : [])),
      );
    const deletedRows = rows.filter(({ after }) => !after);
    if (options.skippedIfReferenceGone === true)
      await writeByHalving(transaction, deletedRows, () => undefined, insert);
    else await insert(deletedRows);
    await updateRows(
      transaction,
      target,
      rows.filter(({ before, after }) => before && after),
    );
  }
  for (const [table, { schema, key, name }] of [...contents.tables].reverse()) {
    const createdRows = change.rows.filter((row) => row.table === table && row.before === null);
    if (createdRows.length === 0) continue;
    const target = { schema, table, key };
    if ((await listReferencedKeys(transaction, target, createdRows, disposable)).size > 0)
      throw createChangedError(createdRows[0]?.after?.[name ?? '']);
    await deleteRows(transaction, target, createdRows);
  }
}

/** Whether a row still has the values that a change wrote into it. */
export function isUntouched(
  { before, after }: RowChange,
  currentRow: JsonRow | undefined,
  { derived = [], version }: RecordedTable,
): boolean {
  if (!after) return currentRow === undefined;
  if (!currentRow) return false;
  const comparedColumns = Object.keys(after).filter(
    (column) => before !== null || (column !== version && !derived.includes(column)),
  );
  return comparedColumns.every((column) => isDeepStrictEqual(currentRow[column], after[column]));
}
