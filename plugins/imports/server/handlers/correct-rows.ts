import { sql, type Transaction } from 'kysely';
import type { BodyOf } from '#core';
import { invalidRequest, notFound } from '#core/server';
import type { ImportRow, ImportSheet, ImportValue } from '#plugins/imports';
import type { changeImportRow, replaceImportValues } from '../../contract/api.ts';
import { fold } from '../../common/check-value.ts';
import { remapRows } from '../commands/stage-rows.ts';
import { maxRememberedLength } from './choose-columns.ts';
import { assertPhase, getBatch, toStagedImport, type Author, type ImportContext } from '../import-context.ts';
import { showPreview } from '../jobs/check-import.ts';
import { getSheet, type AnyKind } from '../kinds/kind-registry.ts';
import { canCheckCorrections, checkCorrections, loadVersions } from '../queries/check-corrections.ts';
import { checkRows } from '../queries/check-rows.ts';
import { loadValueChoices } from '../queries/choices.ts';
import { findRow } from '../queries/list-rows.ts';
import type { StagedImport } from '../queries/sheet-rows.ts';
import type { ImportsTables } from '../tables.ts';

interface Correction {
  readonly sheet: ImportSheet;
  readonly column: string;
  readonly value: ImportValue;
  readonly ids: readonly string[];
}

/**
 * Corrects one cell. Checks of the row and of those that depend on it are repeated.
 *
 * @throws `notFound` (404); `invalidRequest` (400) for an unknown column; `conflict` (409) outside of the preview
 */
export async function correctRow(
  context: ImportContext,
  author: Author,
  uid: string,
  id: string,
  { column, value }: BodyOf<typeof changeImportRow>,
): Promise<ImportRow> {
  await correct(context, author, uid, async (transaction, kind) => {
    const row = await transaction
      .selectFrom('staged_row')
      .select(['sheet', 'number'])
      .where('batch', '=', uid)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row || row.number === null) throw notFound('This row');
    return { sheet: getSheet(kind, row.sheet), column, value, ids: [id] };
  });
  const row = await findRow(context.tables, uid, id);
  if (!row) throw notFound('This row');
  return row;
}

/**
 * Replaces a value in all rows of a column, and remembers it if the column has listed values.
 *
 * @throws as `correctRow`
 */
export async function replaceValues(
  context: ImportContext,
  author: Author,
  uid: string,
  { sheet: sheetId, column, from, to }: BodyOf<typeof replaceImportValues>,
): Promise<{ readonly rows: number }> {
  const rows = await correct(context, author, uid, async (transaction, kind) => {
    const sheet = getSheet(kind, sheetId);
    const { rows: found } = await sql<{ id: string }>`
      select id::text as id from imports.staged_row
      where batch = ${uid} and sheet = ${sheetId} and number is not null
        and coalesce(values -> ${column}, 'null') = ${JSON.stringify(from)}::jsonb`.execute(transaction);
    const isListed = sheet.columns.find(({ id }) => id === column)?.values !== undefined;
    if (isListed && typeof from === 'string' && from.length <= maxRememberedLength && typeof to === 'string')
      await transaction
        .insertInto('value_choice')
        .values({ kind: kind.id, sheet: sheetId, column_id: column, written: fold(from), value: to })
        .onConflict((conflict) =>
          conflict.columns(['kind', 'sheet', 'column_id', 'written']).doUpdateSet({ value: to }),
        )
        .execute();
    return { sheet, column, value: to, ids: found.map(({ id }) => id) };
  });
  return { rows };
}

/** Writes a value into rows, and checks them and what depends on them, in one transaction. */
async function correct(
  context: ImportContext,
  { caller }: Author,
  uid: string,
  find: (transaction: Transaction<ImportsTables>, kind: AnyKind) => Promise<Correction>,
): Promise<number> {
  const batch = await getBatch(context, caller, uid);
  const kind = context.kinds.get(batch.kind, caller);
  const staged = await toStagedImport(context, batch, kind);
  return context.tables.transaction().execute(async (transaction) => {
    const locked = await transaction
      .selectFrom('batch')
      .select('phase')
      .where('uid', '=', uid)
      .forUpdate()
      .executeTakeFirstOrThrow();
    assertPhase(locked, ['PREVIEW']);
    const correction = await find(transaction, kind);
    if (!correction.sheet.columns.some(({ id }) => id === correction.column))
      throw invalidRequest('The column is unknown.', [{ pointer: '/column', message: 'core.validation.choice' }]);
    if (correction.ids.length > 0) await writeCorrection(transaction, staged, correction);
    return correction.ids.length;
  });
}

async function writeCorrection(
  transaction: Transaction<ImportsTables>,
  staged: StagedImport,
  { sheet, column, value, ids }: Correction,
): Promise<void> {
  const { batch, kind, scope } = staged;
  const former = canCheckCorrections(kind, ids.length)
    ? await loadVersions(transaction, staged, sheet, ids)
    : undefined;
  await sql`
    update imports.staged_row set edits = edits || jsonb_build_object(${column}::text, ${JSON.stringify(value)}::jsonb)
    where batch = ${batch} and id = any(${[...ids]}::bigint[])`.execute(transaction);
  const { headers } = await transaction
    .selectFrom('sheet')
    .select('headers')
    .where('batch', '=', batch)
    .where('sheet', '=', sheet.id)
    .executeTakeFirstOrThrow();
  const mapping = { sheet, headers, scope, choices: await loadValueChoices(transaction, kind.id, sheet.id) };
  for (let last = '0', rows = -1; rows !== 0;)
    ({ last, rows } = await remapRows(transaction, batch, mapping, last, ids));
  if (former) await checkCorrections(transaction, staged, sheet, former);
  else await checkRows(transaction, staged);
  await showPreview(transaction, staged);
}
