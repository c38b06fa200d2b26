import { notFound, type CallAuthor } from '#core/server';
import type { Import } from '#plugins/imports';
import { assertPhase, getBatch, type ImportContext } from '../import-context.ts';
import { clearStaging } from '../jobs/check-import.ts';
import { startReading } from '../jobs/followers.ts';
import { loadImport } from '../queries/load-import.ts';
import { openPhases } from './begin-import.ts';

/**
 * Removes a file of an import and begins to read the others again. Without the last workbook, CSV or JSON file the
 * import waits for files.
 *
 * @throws `notFound` (404); `conflict` (409) while the import is checked or applied, or once it is done
 */
export async function removeFile(
  context: ImportContext,
  { caller }: CallAuthor,
  uid: string,
  name: string,
): Promise<Import> {
  const { tables, jobs, files } = context;
  const batch = await getBatch(context, caller, uid);
  const kind = context.kinds.get(batch.kind, caller);
  const removedFile = await tables.transaction().execute(async (transaction) => {
    const lockedBatch = await transaction
      .selectFrom('batch')
      .selectAll()
      .where('uid', '=', uid)
      .forUpdate()
      .executeTakeFirstOrThrow();
    assertPhase(lockedBatch, openPhases);
    const file = await transaction
      .deleteFrom('file')
      .where('batch', '=', uid)
      .where('name', '=', name)
      .returning(['file', 'picture'])
      .executeTakeFirst();
    if (!file) throw notFound('This file');
    const remainingFile = await transaction
      .selectFrom('file')
      .select('name')
      .where('batch', '=', uid)
      .where('picture', '=', false)
      .limit(1)
      .executeTakeFirst();
    const layouts = file.picture ? lockedBatch.layouts : {};
    if (remainingFile && lockedBatch.phase !== 'WAITING')
      await startReading(jobs, transaction, uid, caller.uid, layouts);
    else {
      await clearStaging(transaction, uid);
      await transaction
        .updateTable('batch')
        .set(({ eb }) => ({
          phase: remainingFile ? ('WAITING' as const) : ('FILES' as const),
          refusal: null,
          layouts: JSON.stringify(layouts),
          findings: '[]',
          version: eb('version', '+', 1),
        }))
        .where('uid', '=', uid)
        .execute();
    }
    return file;
  });
  await files.remove(removedFile.file);
  await jobs.notifyRunners();
  return loadImport(context, uid, kind);
}
