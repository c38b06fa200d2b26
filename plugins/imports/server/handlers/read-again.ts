import type { BodyOf } from '#core';
import { conflict, type CallAuthor } from '#core/server';
import type { Import } from '#plugins/imports';
import type { readImportAgain } from '../../contract/api.ts';
import { hasLayout } from '../../contract/index.ts';
import { importsRefusal } from '../../contract/errors.ts';
import { assertPhase, getBatch, type ImportContext } from '../import-context.ts';
import { startReading } from '../jobs/followers.ts';
import { getSheet } from '../kinds/kind-registry.ts';
import { loadImport } from '../queries/load-import.ts';

/**
 * Reads the files of an import again, with another layout of the file of one sheet. Without `headerRow`, an earlier
 * choice of it stays.
 *
 * @throws `invalidRequest` (400) for an unknown sheet; `notFound` (404); `conflict` (409) unless its rows were read
 *   from a file, or if the import was changed since `version`
 */
export async function readAgain(
  context: ImportContext,
  { caller }: CallAuthor,
  uid: string,
  { sheet, version, headerRow, separator }: BodyOf<typeof readImportAgain>,
): Promise<Import> {
  const batch = await getBatch(context, caller, uid);
  const kind = context.kinds.get(batch.kind, caller);
  const { id } = getSheet(kind, sheet);
  await context.tables.transaction().execute(async (transaction) => {
    const lockedBatch = await transaction
      .selectFrom('batch')
      .select(['phase', 'layouts', 'version'])
      .where('uid', '=', uid)
      .forUpdate()
      .executeTakeFirstOrThrow();
    assertPhase(lockedBatch, ['COLUMNS', 'PREVIEW']);
    if (lockedBatch.version !== version) throw conflict(importsRefusal('imports.refused.importChanged'));
    const files = await transaction.selectFrom('file').select('name').where('batch', '=', uid).execute();
    if (!files.some(({ name }) => hasLayout(name))) throw conflict(importsRefusal('imports.refused.wrongPhase'));
    const chosenRow = headerRow === undefined ? lockedBatch.layouts[id]?.headerRow : headerRow;
    const layouts = { ...lockedBatch.layouts, [id]: { headerRow: chosenRow ?? null, separator } };
    await startReading(context.jobs, transaction, uid, caller.uid, layouts);
  });
  await context.jobs.notifyRunners();
  return loadImport(context, uid, kind);
}
