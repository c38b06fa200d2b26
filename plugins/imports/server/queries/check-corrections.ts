import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import { planEachStatement } from '#core/server';
import type { ImportSheet } from '#plugins/imports';
import type { AnyKind } from '../kinds/kind-registry.ts';
import type { Values } from '../tables.ts';
import { checkSheetRows, countRows, listItems } from './check-rows.ts';
import { insertRemoved, writeStates } from './compare-rows.ts';
import { computeKey } from './key-of.ts';
import {
  createCheckContext,
  selectCurrentRows,
  stagedRows,
  stateWithoutErrors,
  type StagedImport,
} from './sheet-rows.ts';

/** A row as it was before a correction, or as it is after it. */
export interface RowVersion {
  readonly id: string;
  readonly key: string | null;
  readonly values: Values;
  readonly before: Values | null;
  readonly state: string;
}

/** More corrected rows are checked with all others. */
const maxCorrectedRows = 1000;

/** Whether the rows that depend on so many corrected ones are known. */
export const canCheckCorrections = ({ sheets }: AnyKind, rows: number): boolean =>
  rows <= maxCorrectedRows && sheets.every(({ check, selectRowsToRecheck }) => !check || selectRowsToRecheck);

export const loadVersions = async (
  transaction: QueryExecutorProvider,
  stagedImport: StagedImport,
  sheet: ImportSheet,
  ids: readonly string[],
): Promise<readonly RowVersion[]> =>
  (
    await sql<RowVersion>`
      select id::text as id, key, values, before, state from (${stagedRows(stagedImport, sheet.id)}) as row
      where id = any(${[...ids]}::bigint[])`.execute(transaction)
  ).rows;

/**
 * Checks corrected rows again, and those that depend on them: rows with their former or present keys, rows that refer
 * to them, and those that `selectRowsToRecheck` selects. Finds what `checkRows` finds, unless the product has changed
 * since.
 *
 * @param ids the corrected rows
 * @param formerVersions these rows as they were, without those that were left out
 */
export async function checkCorrections(
  transaction: QueryExecutorProvider,
  stagedImport: StagedImport,
  sheet: ImportSheet,
  ids: readonly string[],
  formerVersions: readonly RowVersion[],
): Promise<void> {
  const { batch, kind } = stagedImport;
  await planEachStatement(transaction);
  const removedVersions = await compareCorrected(transaction, stagedImport, sheet, ids);
  const versions = [
    ...formerVersions,
    ...removedVersions,
    ...(await loadVersions(transaction, stagedImport, sheet, ids)),
  ];
  const idsBySheet = new Map<ImportSheet, readonly string[]>();
  for (const each of kind.sheets) {
    const affectedIds = await listAffected(transaction, stagedImport, each, { sheet, ids, versions });
    if (affectedIds.length > 0) idsBySheet.set(each, affectedIds);
  }
  const all = sql`${[...idsBySheet.values()].flat()}::bigint[]`;
  await sql`delete from imports.finding where batch = ${batch} and checked and row = any(${all})`.execute(transaction);
  await sql`
    update imports.staged_row set state = ${stateWithoutErrors} where id = any(${all}) and state = 'ERROR'`.execute(
    transaction,
  );
  for (const [each, rows] of idsBySheet) await checkSheetRows(transaction, stagedImport, each, rows);
  await sql`
    update imports.staged_row set state = 'ERROR'
    where id = any(${all}) and id in (
      select row from imports.finding where row = any(${all}) and severity = 'ERROR')`.execute(transaction);
  await countRows(transaction, batch);
}

/** Compares corrected rows with today's. Returns the removed rows that came or went. */
async function compareCorrected(
  transaction: QueryExecutorProvider,
  stagedImport: StagedImport,
  sheet: ImportSheet,
  ids: readonly string[],
): Promise<readonly RowVersion[]> {
  const { batch, scope, mode } = stagedImport;
  const rows = sql`id = any(${[...ids]}::bigint[])`;
  const key = computeKey(sheet.columns, sql`values`);
  const { rows: keys } = await sql<{ former: string | null; present: string | null }>`
    select distinct key as former, ${key} as present from imports.staged_row
    where ${rows} and key is distinct from ${key}`.execute(transaction);
  if (keys.length === 0) {
    // Reading today's rows takes as long as they are many.
    const today = sql`select distinct on (key) key, before as values from imports.staged_row where ${rows} and before is not null`;
    await writeStates(transaction, sheet, { today, rows });
    return [];
  }
  const selectToday = (wantedKeys: readonly (string | null)[]): RawBuilder<unknown> => sql`
    select * from (${selectCurrentRows(sheet, scope)}) as each where key = any(${wantedKeys.filter((each) => each !== null)}::text[])`;
  const presentKeys = sql`(select ${key} from imports.staged_row where ${rows})`;
  await writeStates(transaction, sheet, {
    today: sql`select * from (${selectCurrentRows(sheet, scope)}) as each where key in ${presentKeys}`,
    rows,
  });
  if (mode !== 'REPLACE' || sheet.removable !== true) return [];
  const returningClause = sql`returning id::text as id, key, values, before, state`;
  const takenKeys = keys.flatMap((keyRow) => keyRow.present ?? []);
  const { rows: deletedRows } = await sql<RowVersion>`
    delete from imports.staged_row
    where batch = ${batch} and sheet = ${sheet.id} and number is null and key = any(${takenKeys}::text[])
    ${returningClause}`.execute(transaction);
  const { rows: insertedRows } = await sql<RowVersion>`
    ${insertRemoved(stagedImport, sheet, selectToday(keys.map(({ former }) => former)))} ${returningClause}`.execute(
    transaction,
  );
  return [...deletedRows, ...insertedRows];
}

interface Corrected {
  readonly sheet: ImportSheet;
  readonly ids: readonly string[];
  readonly versions: readonly RowVersion[];
}

/** Lists the ids of the rows of `sheet` whose findings may have changed. */
async function listAffected(
  transaction: QueryExecutorProvider,
  stagedImport: StagedImport,
  sheet: ImportSheet,
  correction: Corrected,
): Promise<readonly string[]> {
  const isSame = sheet.id === correction.sheet.id;
  const versions = JSON.stringify(correction.versions);
  const selectChanged = (id: string): RawBuilder<unknown> => sql`
    select id, key, values, before, state
    from jsonb_to_recordset(${id === correction.sheet.id ? versions : '[]'}::jsonb)
      as version (id bigint, key text, values jsonb, before jsonb, state text)`;
  const rows = stagedRows(stagedImport, sheet.id);
  const parts = [
    ...(isSame
      ? [
          sql`select id from (${rows}) as row
            where id = any(${[...correction.ids]}::bigint[]) or key in (select key from (${selectChanged(sheet.id)}) as version)`,
        ]
      : []),
    ...sheet.columns.flatMap((column) => {
      const parentColumn = column.reference?.within;
      return parentColumn?.sheet === correction.sheet.id
        ? [
            sql`select id from (${rows}) as row cross join lateral ${listItems(column)} as item
              where number is not null and lower(item) in (
                select lower(version.values ->> ${parentColumn.column}) from (${selectChanged(parentColumn.sheet)}) as version)`,
          ]
        : [];
    }),
    ...(sheet.selectRowsToRecheck
      ? [sheet.selectRowsToRecheck({ ...createCheckContext(stagedImport), corrected: selectChanged })]
      : []),
  ];
  if (parts.length === 0) return [];
  const { rows: affectedRows } = await sql<{ id: string }>`
    select distinct id::text as id from (${sql.join(
      parts.map((part) => sql`select id from (${part}) as part`),
      sql` union all `,
    )}) as affected`.execute(transaction);
  return affectedRows.map(({ id }) => id);
}
