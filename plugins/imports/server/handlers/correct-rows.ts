import { sql } from 'kysely';
import type { BodyOf } from '#core';
import { invalidRequest, notFound, type CallAuthor } from '#core/server';
import type { ImportRow, ImportSheet, ImportValue } from '#plugins/imports';
import type { updateImportRow, replaceImportValues } from '../../contract/api.ts';
import { fold } from '../../common/check-value.ts';
import type { ImportContext } from '../import-context.ts';
import { getSheet } from '../kinds/kind-registry.ts';
import { findRow } from '../queries/list-rows.ts';
import { changeRows, type RowChange } from './change-rows.ts';
import { maxRememberedLength } from './choose-columns.ts';
import { findWrongWord, rememberWord, areWordsRemembered } from './remember-words.ts';

/**
 * Corrects one cell. Checks of the row and of those that depend on it are repeated. A wrong word of a closed list
 * is remembered once all its cells are corrected to the same value.
 *
 * @throws `notFound` (404); `invalidRequest` (400) for an unknown column; `conflict` (409) outside of the preview
 */
export async function correctRow(
  context: ImportContext,
  author: CallAuthor,
  uid: string,
  id: string,
  { column, value }: BodyOf<typeof updateImportRow>,
): Promise<ImportRow> {
  await changeRows(context, author, uid, async (transaction, { kind }) => {
    const row = await transaction
      .selectFrom('staged_row')
      .select(['sheet', 'number'])
      .where('batch', '=', uid)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row || row.number === null) throw notFound('This row');
    const sheet = getSheet(kind, row.sheet);
    const word = await findWrongWord(transaction, uid, sheet, column, id);
    const correction = toCorrection(sheet, column, value, [id]);
    return [
      word ? { ...correction, finish: (executor, staged) => rememberWord(executor, staged, sheet, word) } : correction,
    ];
  });
  const row = await findRow(context.tables, uid, id);
  if (!row) throw notFound('This row');
  return row;
}

/**
 * Replaces a value in all rows of a column, and remembers it if the column has listed values, or references
 * that are the same at all sites.
 *
 * @throws as `correctRow`
 */
export async function replaceValues(
  context: ImportContext,
  author: CallAuthor,
  uid: string,
  { sheet: sheetId, column, from, to }: BodyOf<typeof replaceImportValues>,
): Promise<{ readonly rows: number }> {
  const rows = await changeRows(context, author, uid, async (transaction, { kind, scope }) => {
    const sheet = getSheet(kind, sheetId);
    const { rows: matchingRows } = await sql<{ id: string }>`
      select id::text as id from imports.staged_row
      where batch = ${uid} and sheet = ${sheetId} and number is not null and not left_out
        and coalesce(values -> ${column}, 'null') = ${JSON.stringify(from)}::jsonb`.execute(transaction);
    const columnOfValue = sheet.columns.find(({ id }) => id === column);
    const isRemembered = columnOfValue !== undefined && areWordsRemembered(columnOfValue, scope);
    if (isRemembered && typeof from === 'string' && from.length <= maxRememberedLength && typeof to === 'string')
      await transaction
        .insertInto('value_choice')
        .values({ kind: kind.id, sheet: sheetId, column_id: column, written: fold(from), value: to })
        .onConflict((conflict) =>
          conflict.columns(['kind', 'sheet', 'column_id', 'written']).doUpdateSet({ value: to, corrected_in: null }),
        )
        .execute();
    return [
      toCorrection(
        sheet,
        column,
        to,
        matchingRows.map(({ id }) => id),
      ),
    ];
  });
  return { rows };
}

const toCorrection = (sheet: ImportSheet, column: string, value: ImportValue, ids: readonly string[]): RowChange => {
  if (!sheet.columns.some(({ id }) => id === column))
    throw invalidRequest('The column is unknown.', [{ pointer: '/column', message: 'core.validation.choice' }]);
  return {
    sheet,
    ids,
    write: async (transaction) => {
      await sql`
        update imports.staged_row set edits = edits || jsonb_build_object(${column}::text, ${JSON.stringify(value)}::jsonb)
        where id = any(${[...ids]}::bigint[])`.execute(transaction);
    },
  };
};
