import type { BodyOf } from '#core';
import type { CallAuthor } from '#core/server';
import type { Import } from '#plugins/imports';
import type { readImportAgain } from '../../contract/api.ts';
import { assertPhase, getBatch, type ImportContext } from '../import-context.ts';
import { startReading } from '../jobs/followers.ts';
import { getSheet } from '../kinds/kind-registry.ts';
import { loadImport } from '../queries/load-import.ts';

/**
 * Reads the files of an import again, with another layout of the file of one sheet.
 *
 * @throws `invalidRequest` (400) for an unknown sheet; `notFound` (404); `conflict` (409) unless the rows are read
 */
export async function readAgain(
  context: ImportContext,
  { caller }: CallAuthor,
  uid: string,
  { sheet, headerRow, separator }: BodyOf<typeof readImportAgain>,
): Promise<Import> {
  const batch = await getBatch(context, caller, uid);
  const kind = context.kinds.get(batch.kind, caller);
  const { id } = getSheet(kind, sheet);
  await context.tables.transaction().execute(async (transaction) => {
    const locked = await transaction
      .selectFrom('batch')
      .select(['phase', 'layouts'])
      .where('uid', '=', uid)
      .forUpdate()
      .executeTakeFirstOrThrow();
    assertPhase(locked, ['COLUMNS', 'PREVIEW']);
    const layouts = { ...locked.layouts, [id]: { headerRow, separator } };
    await startReading(context.jobs, transaction, uid, caller.uid, layouts);
  });
  await context.jobs.notifyRunners();
  return loadImport(context, uid, kind);
}
