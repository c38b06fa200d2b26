import type { QueryExecutorProvider } from 'kysely';
import { coreRefusal } from '#core/api';
import type { BlockedRow, PersonMasters, RowChange } from '#core/server';

/** Finds created masters that describe people now, so that undoing their creation would leave nothing to refer to. */
export async function findUsedMasters(
  personMasters: PersonMasters,
  transaction: QueryExecutorProvider,
  rows: readonly RowChange[],
): Promise<readonly BlockedRow[]> {
  const created = rows.filter(({ table, before }) => table === 'master' && before === null);
  const used = await personMasters.countPeople(
    transaction,
    created.map(({ key }) => String(key['uid'])),
  );
  return created.flatMap((row) =>
    used.has(String(row.key['uid']))
      ? [{ row, reason: coreRefusal('core.refused.undoUsed', { name: String(row.after?.['name']) }) }]
      : [],
  );
}
