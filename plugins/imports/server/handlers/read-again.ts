import type { Transaction } from 'kysely';
import type { BodyOf } from '#core';
import { conflict, invalidRequest, type CallAuthor } from '#core/server';
import type { Import } from '#plugins/imports';
import type { readImportAgain } from '../../contract/api.ts';
import { hasHeaderRow } from '../../contract/index.ts';
import { importsRefusal } from '../../contract/errors.ts';
import { assertPhase, getBatch, type ImportContext } from '../import-context.ts';
import { startReading } from '../jobs/followers.ts';
import { getSheet } from '../kinds/kind-registry.ts';
import type { ImportsTables } from '../tables.ts';
import { fold } from '../../common/check-value.ts';
import { loadImport } from '../queries/load-import.ts';

/**
 * Reads the files of an import again: with another header row or separator for one sheet, or with other choices of
 * which sheet is which. Choices that the body lacks stay as they were.
 *
 * @throws `notFound` (404) for an unknown import or sheet; `invalidRequest` (400) if two sheets are read as the same
 *   one; `conflict` (409) unless its rows were read from a file, or if the import was changed since `version`
 */
export async function readAgain(
  context: ImportContext,
  { caller }: CallAuthor,
  uid: string,
  { sheet, version, headerRow, separator, fileSheets = [] }: BodyOf<typeof readImportAgain>,
): Promise<Import> {
  const batch = await getBatch(context, caller, uid);
  const kind = context.kinds.get(batch.kind, caller);
  const chosenIds = fileSheets.flatMap(({ sheet: chosenId }) => (chosenId === null ? [] : getSheet(kind, chosenId).id));
  if (new Set(chosenIds).size < chosenIds.length)
    throw invalidRequest('Two sheets are read as the same one.', [
      { pointer: '/fileSheets', message: 'core.validation.choice' },
    ]);
  const sheetId = sheet === undefined ? undefined : getSheet(kind, sheet).id;
  await context.tables.transaction().execute(async (transaction) => {
    const lockedBatch = await transaction
      .selectFrom('batch')
      .select(['phase', 'layouts', 'version'])
      .where('uid', '=', uid)
      .forUpdate()
      .executeTakeFirstOrThrow();
    assertPhase(lockedBatch, fileSheets.length > 0 ? ['FILES', 'COLUMNS', 'PREVIEW'] : ['COLUMNS', 'PREVIEW']);
    if (lockedBatch.version !== version) throw conflict(importsRefusal('imports.refused.importChanged'));
    const files = await transaction.selectFrom('file').select('name').where('batch', '=', uid).execute();
    if (!files.some(({ name }) => hasHeaderRow(name))) throw conflict(importsRefusal('imports.refused.wrongPhase'));
    await rememberSheets(transaction, { uid, kind: kind.id }, fileSheets);
    const { layouts: formerLayouts } = lockedBatch;
    const formerLayout = { headerRow: null, separator: null, ...(sheetId === undefined ? {} : formerLayouts[sheetId]) };
    const layout = {
      headerRow: headerRow === undefined ? formerLayout.headerRow : headerRow,
      separator: separator === undefined ? formerLayout.separator : separator,
    };
    const layouts = sheetId === undefined ? formerLayouts : { ...formerLayouts, [sheetId]: layout };
    await startReading(context.jobs, transaction, uid, caller.uid, layouts);
  });
  await context.jobs.notifyRunners();
  return loadImport(context, uid, kind);
}

/** Stores as which sheet of the kind each named sheet is read, in this and later imports. */
async function rememberSheets(
  transaction: Transaction<ImportsTables>,
  { uid, kind }: { readonly uid: string; readonly kind: string },
  fileSheets: NonNullable<BodyOf<typeof readImportAgain>['fileSheets']>,
): Promise<void> {
  if (fileSheets.length === 0) return;
  const choices = new Map(fileSheets.map(({ name, sheet }) => [fold(name), sheet]));
  await transaction
    .insertInto('sheet_choice')
    .values([...choices].map(([name, sheet]) => ({ kind, name, sheet, chosen_in: uid })))
    .onConflict((conflictOf) =>
      conflictOf.columns(['kind', 'name']).doUpdateSet(({ ref }) => ({ sheet: ref('excluded.sheet'), chosen_in: uid })),
    )
    .execute();
}
