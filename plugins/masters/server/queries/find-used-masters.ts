import type { QueryExecutorProvider } from 'kysely';
import { coreRefusal } from '#core/api';
import type { BlockedRow, RowChange } from '#core/server';
import type { DatabaseMasters } from '../services.ts';

/** Finds created masters that people or other plugins refer to: undoing the creation would break the references. */
export async function findUsedMasters(
  masters: Pick<DatabaseMasters, 'findUsed'>,
  transaction: QueryExecutorProvider,
  rows: readonly RowChange[],
): Promise<readonly BlockedRow[]> {
  const createdRows = rows.filter(({ table, before }) => table === 'master' && before === null);
  const usedUids = await masters.findUsed(
    transaction,
    createdRows.map(({ key }) => String(key['uid'])),
  );
  return createdRows.flatMap((row) =>
    usedUids.has(String(row.key['uid']))
      ? [{ row, reason: coreRefusal('core.refused.undoUsed', { name: String(row.after?.['name']) }) }]
      : [],
  );
}
