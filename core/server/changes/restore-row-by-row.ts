import type { QueryExecutorProvider } from 'kysely';
import { pickLocalizedError, type LocalizedRefusal } from '#core';
import { coreRefusal } from '#core/api';
import { isForeignKeyViolation } from '../kernel/database-error.ts';
import type { ChangeRecorder, RowChange } from './change-recorder.ts';
import type { RecordedTable, UndoneRow } from './content-changes.ts';
import { toKeyText, type TargetTable } from './keyed-rows.ts';
import { isUntouched, type ChangeToUndo, type RestoredContents } from './restore-change.ts';
import { writeByHalving } from './write-by-halving.ts';
import { deleteRows, insertRows, listReferencedKeys, updateRows } from './restore-rows.ts';

/** Why a row is not restored. */
interface KeptReason {
  readonly outcome: 'KEPT' | 'BLOCKED';
  readonly reason: LocalizedRefusal;
}

const toEntityText = (table: string, uid: unknown): string => JSON.stringify([table, uid]);

/**
 * Restores the recorded rows as they were before a change, parents before children, and keeps rows that were changed
 * since or cannot be restored. Refused rows are found by halving: without any, the number of statements is constant.
 */
export async function restoreRowByRow(
  transaction: QueryExecutorProvider,
  recorder: ChangeRecorder,
  contents: RestoredContents,
  change: ChangeToUndo,
): Promise<readonly UndoneRow[]> {
  const { tables, disposable } = contents;
  const reasons = new Map<RowChange, KeptReason>();
  const keptEntities = new Map<string, KeptReason>();
  const keep = (row: RowChange, reason: KeptReason): void => {
    reasons.set(row, reason);
    keptEntities.set(toEntityText(row.table, Object.values(row.key)[0]), reason);
  };
  const getValue = (row: RowChange, column: string): unknown =>
    recorder.findBefore(row.table, row.key)?.[column] ?? row.before?.[column] ?? row.after?.[column];
  const getText = (row: RowChange, column: string): string | null => {
    const value = getValue(row, column);
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const entitiesByUid = new Map<unknown, RowChange>(
    change.rows.flatMap((row) => {
      const keyValues = Object.values(row.key);
      return keyValues.length === 1 && tables.get(row.table)?.belongsTo === undefined
        ? [[keyValues[0], row] as const]
        : [];
    }),
  );
  const getOwnName = (row: RowChange): string | null =>
    getText(row, 'code') ?? getText(row, tables.get(row.table)?.name ?? '');
  /** Rows without a name are named by the entities of their key, such as a link by its nodes. */
  const getName = (row: RowChange): string =>
    getText(row, tables.get(row.table)?.name ?? '') ??
    Object.values(row.key)
      .map((value) => {
        const entity = entitiesByUid.get(value);
        return (entity === undefined || entity === row ? null : getOwnName(entity)) ?? value;
      })
      .join(' ');
  /** The entity of which a row is a part, if the change contains its row too. */
  const findEntity = (row: RowChange): RowChange | undefined => {
    const { belongsTo } = tables.get(row.table) ?? {};
    const entity = entitiesByUid.get(belongsTo ? getValue(row, belongsTo.column) : undefined);
    return entity && belongsTo?.tables.includes(entity.table) ? entity : undefined;
  };
  for (const row of change.rows) {
    const options = tables.get(row.table);
    if (options && !isUntouched(row, recorder.findBefore(row.table, row.key), options))
      keep(row, { outcome: 'KEPT', reason: coreRefusal('core.refused.undoChanged', { name: getName(row) }) });
  }
  const untouchedRows = change.rows.filter((row) => !reasons.has(row));
  for (const { row, reason } of await contents.findBlocked(untouchedRows)) keep(row, { outcome: 'BLOCKED', reason });
  const block = (row: RowChange, error: unknown): void => {
    const name = getName(row);
    const reason = isForeignKeyViolation(error)
      ? coreRefusal('core.refused.undoNeeds', { name })
      : coreRefusal('core.refused.undoTaken', { name });
    keep(row, { outcome: 'BLOCKED', reason });
  };
  /** Lists the rows of a table that are not kept so far. */
  const listRows = (table: string): readonly RowChange[] => {
    const rows = change.rows.filter((row) => row.table === table && !reasons.has(row));
    const { belongsTo } = tables.get(table) ?? {};
    if (!belongsTo) return rows;
    return rows.filter((row) => {
      const entity = getValue(row, belongsTo.column);
      const keptReason = belongsTo.tables
        .map((entityTable) => keptEntities.get(toEntityText(entityTable, entity)))
        .find(Boolean);
      if (keptReason) keep(row, keptReason);
      return !keptReason;
    });
  };
  // Rows that belong to entities come last, when the kept entities are known.
  const isPartOfEntity = ([, { belongsTo }]: readonly [string, Pick<RecordedTable, 'belongsTo'>]): boolean =>
    belongsTo !== undefined;
  const entitiesFirst = [
    ...[...tables].filter((entry) => !isPartOfEntity(entry)),
    ...[...tables].filter(isPartOfEntity),
  ];
  for (const [table, { schema, key }] of entitiesFirst) {
    const target = { schema, table, key };
    const rows = listRows(table).filter(({ before }) => before !== null);
    await writeByHalving(transaction, rows, block, async (group) => {
      await insertRows(
        transaction,
        target,
        group.flatMap(({ before, after }) => (before && !after ? [before] : [])),
      );
      await updateRows(
        transaction,
        target,
        group.filter(({ before, after }) => before && after),
      );
    });
  }
  for (const [table, { schema, key }] of [...tables].reverse()) {
    const target = { schema, table, key };
    const createdRows = listRows(table).filter(({ before }) => before === null);
    const unusedList = await selectUnused(transaction, target, createdRows, disposable);
    const unusedRows = new Set(unusedList);
    for (const row of createdRows)
      if (!unusedRows.has(row))
        keep(row, { outcome: 'BLOCKED', reason: coreRefusal('core.refused.undoUsed', { name: getName(row) }) });
    await writeByHalving(transaction, unusedList, block, (group) => deleteRows(transaction, target, group));
  }
  return change.rows.map((row): UndoneRow => {
    const keptReason = reasons.get(row);
    const entity = findEntity(row);
    return {
      table: row.table,
      name: getName(row),
      code: getText(entity ?? row, 'code'),
      entity: toEntityText((entity ?? row).table, Object.values((entity ?? row).key).join(' ')),
      part: entity !== undefined,
      outcome: keptReason?.outcome ?? 'REVERSED',
      reason: keptReason ? pickLocalizedError(keptReason.reason) : null,
    };
  });
}

/**
 * Selects the created rows that no other row refers to, except rows that are deleted with them. A row that is kept also
 * keeps the rows that it refers to.
 */
async function selectUnused(
  transaction: QueryExecutorProvider,
  target: TargetTable,
  createdRows: readonly RowChange[],
  disposable: readonly string[],
): Promise<readonly RowChange[]> {
  let rows = createdRows;
  while (rows.length > 0) {
    const usedKeys = await listReferencedKeys(transaction, target, rows, disposable);
    if (usedKeys.size === 0) break;
    rows = rows.filter(({ key }) => !usedKeys.has(toKeyText(target, key)));
  }
  return rows;
}
