import { sql, type Transaction } from 'kysely';
import type { ImportColumn, ImportScope, ImportSheet } from '#plugins/imports';
import { fold, type Cell } from '../../common/check-value.ts';
import type { AnyKind } from '../kinds/kind-registry.ts';
import type { ImportsTables } from '../tables.ts';
import { maxRememberedLength } from './choose-columns.ts';

type Executor = Transaction<ImportsTables>;

/**
 * Whether words that are replaced in all rows of a column are remembered: words of closed lists, and references that
 * are the same at all sites and that no row of the import can create. A word in any other column can be right in the
 * next file.
 */
export const areWordsRemembered = ({ values, reference, type }: ImportColumn, { site }: ImportScope): boolean =>
  values !== undefined ||
  (site === null && type === 'REFERENCE' && reference?.find !== undefined && reference.within === undefined);

/** The word that a cell contains before it is corrected. */
export interface CorrectedWord {
  readonly column: ImportColumn;
  readonly cellIndex: number;
  readonly writtenWord: string;
}

/** Finds the word in a cell of a closed list that has an error or was corrected before. */
export async function findWrongWord(
  transaction: Executor,
  batch: string,
  sheet: ImportSheet,
  columnId: string,
  row: string,
): Promise<CorrectedWord | undefined> {
  const column = sheet.columns.find(({ id }) => id === columnId);
  if (column?.values === undefined) return undefined;
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
    ? { column, cellIndex: index, writtenWord: fold(cell) }
    : undefined;
}

/**
 * Remembers what a word was corrected to in single cells, once all cells of the column with the word have the same
 * value without an error. If they have different values, it forgets the word. Words that were remembered in another
 * import, or by replacing them in all rows, stay as they are.
 */
export async function rememberWord(
  transaction: Executor,
  { batch, kind }: { readonly batch: string; readonly kind: AnyKind },
  sheet: ImportSheet,
  { column, cellIndex, writtenWord }: CorrectedWord,
): Promise<void> {
  const { rows } = await sql<{ first: string; last: string; isCorrected: boolean | null }>`
    select min(coalesce(values ->> ${column.id}, '')) as first, max(coalesce(values ->> ${column.id}, '')) as last,
      bool_and(edits ? ${column.id} and not exists (
        select from imports.finding
        where row = staged_row.id and column_id = ${column.id} and severity = 'ERROR')) as "isCorrected"
    from imports.staged_row
    where batch = ${batch} and sheet = ${sheet.id} and number is not null and not left_out
      and lower(btrim(regexp_replace(cells ->> ${cellIndex}::int, '\\s+', ' ', 'g'))) = ${writtenWord}`.execute(
    transaction,
  );
  const [corrections] = rows;
  if (corrections?.isCorrected !== true) return;
  const { first, last } = corrections;
  if (first === last && first !== '' && fold(first) !== writtenWord)
    await transaction
      .insertInto('value_choice')
      .values({
        kind: kind.id,
        sheet: sheet.id,
        column_id: column.id,
        written: writtenWord,
        value: first,
        corrected_in: batch,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['kind', 'sheet', 'column_id', 'written'])
          .doUpdateSet({ value: first })
          .where('value_choice.corrected_in', '=', batch),
      )
      .execute();
  else
    await transaction
      .deleteFrom('value_choice')
      .where('kind', '=', kind.id)
      .where('sheet', '=', sheet.id)
      .where('column_id', '=', column.id)
      .where('written', '=', writtenWord)
      .where('corrected_in', '=', batch)
      .execute();
}
