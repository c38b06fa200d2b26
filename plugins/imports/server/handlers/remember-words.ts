import { sql, type Transaction } from 'kysely';
import type { ImportColumn, ImportSheet, ImportValue } from '#plugins/imports';
import { fold, type Cell } from '../../common/check-value.ts';
import type { AnyKind } from '../kinds/kind-registry.ts';
import type { ImportsTables } from '../tables.ts';
import { maxRememberedLength } from './choose-columns.ts';

type Executor = Transaction<ImportsTables>;

/**
 * Whether words of a column are remembered: of a closed list, and of references that no row of the same import can
 * create. Such a word can be right in the next file.
 */
export const remembersWords = ({ values, reference, type }: ImportColumn): boolean =>
  values !== undefined || (type === 'REFERENCE' && reference?.find !== undefined && reference.within === undefined);

/** A row whose cell is about to be corrected, with the word that is written there. */
export interface CorrectedWord {
  readonly column: ImportColumn;
  readonly index: number;
  readonly written: string;
}

/** Finds the word in a cell with an error, if its corrections are remembered. */
export async function findWrongWord(
  transaction: Executor,
  batch: string,
  sheet: ImportSheet,
  columnId: string,
  row: string,
): Promise<CorrectedWord | undefined> {
  const column = sheet.columns.find(({ id }) => id === columnId);
  if (!column || !remembersWords(column)) return undefined;
  const { headers } = await transaction
    .selectFrom('sheet')
    .select('headers')
    .where('batch', '=', batch)
    .where('sheet', '=', sheet.id)
    .executeTakeFirstOrThrow();
  const index = headers.findLastIndex((match) => match.column === columnId);
  const { rows } = await sql<{ cells: readonly Cell[]; isWrong: boolean }>`
    select cells, edits ? ${columnId} or exists (
      select from imports.finding where row = staged_row.id and column_id = ${columnId} and severity = 'ERROR') as "isWrong"
    from imports.staged_row where id = ${row}::bigint`.execute(transaction);
  const cell = rows[0]?.isWrong === true ? rows[0].cells[index] : undefined;
  return typeof cell === 'string' && cell.trim() !== '' && cell.length <= maxRememberedLength
    ? { column, index, written: fold(cell) }
    : undefined;
}

/**
 * Remembers what a word was corrected to in single cells, once all cells of the column with the word have the same
 * value without an error. Forgets it if they have different ones.
 */
export async function rememberWord(
  transaction: Executor,
  { batch, kind }: { readonly batch: string; readonly kind: AnyKind },
  sheet: ImportSheet,
  { column, index, written }: CorrectedWord,
): Promise<void> {
  const { rows } = await sql<{
    cell: Cell;
    edit: ImportValue;
    value: ImportValue;
    isEdited: boolean;
    isWrong: boolean;
  }>`
    select cells -> ${index}::int as cell, edits -> ${column.id} as edit, values -> ${column.id} as value,
      edits ? ${column.id} as "isEdited",
      exists (
        select from imports.finding where row = staged_row.id and column_id = ${column.id} and severity = 'ERROR') as "isWrong"
    from imports.staged_row
    where batch = ${batch} and sheet = ${sheet.id} and number is not null and not left_out
      and (edits ? ${column.id} or lower(values ->> ${column.id}) = ${written})`.execute(transaction);
  const sameRows = rows.filter(({ cell }) => typeof cell === 'string' && fold(cell) === written);
  const values = [...new Set(sameRows.map(({ value }) => value))];
  const [value] = values;
  const key = { kind: kind.id, sheet: sheet.id, column_id: column.id, written };
  if (sameRows.some(({ isEdited, isWrong }) => isWrong || !isEdited)) return;
  if (values.length === 1 && typeof value === 'string' && fold(value) !== written)
    await transaction
      .insertInto('value_choice')
      .values({ ...key, value })
      .onConflict((conflict) => conflict.columns(['kind', 'sheet', 'column_id', 'written']).doUpdateSet({ value }))
      .execute();
  else
    await transaction
      .deleteFrom('value_choice')
      .where('kind', '=', key.kind)
      .where('sheet', '=', key.sheet)
      .where('column_id', '=', key.column_id)
      .where('written', '=', written)
      .execute();
}
