import type { BodyOf } from '#core';
import { notFound, type CallAuthor } from '#core/server';
import type { Import } from '#plugins/imports';
import type { forgetImportWord } from '../../contract/api.ts';
import { fold } from '../../common/check-value.ts';
import { assertPhase, getBatch, type ImportContext } from '../import-context.ts';
import { checkImportJob, type CheckImportPayload } from '../jobs/check-import.ts';
import { getSheet } from '../kinds/kind-registry.ts';
import { loadImport } from '../queries/load-import.ts';
import type { ReplacedWord } from '../tables.ts';

/**
 * Forgets as which value a word was read in earlier imports, and reads the rows again.
 *
 * @throws `notFound` (404) for an unknown import or sheet, or a word that is not in `replacedWords`; `conflict` (409)
 *   outside of the preview
 */
export async function forgetWord(
  context: ImportContext,
  { caller }: CallAuthor,
  uid: string,
  { sheet, column, written }: BodyOf<typeof forgetImportWord>,
): Promise<Import> {
  const batch = await getBatch(context, caller, uid);
  const kind = context.kinds.get(batch.kind, caller);
  const { id: sheetId } = getSheet(kind, sheet);
  await context.tables.transaction().execute(async (transaction) => {
    const lockedBatch = await transaction
      .selectFrom('batch')
      .select('phase')
      .where('uid', '=', uid)
      .forUpdate()
      .executeTakeFirstOrThrow();
    assertPhase(lockedBatch, ['PREVIEW']);
    const { replaced_words: replacedWords } = (await transaction
      .selectFrom('sheet')
      .select('replaced_words')
      .where('batch', '=', uid)
      .where('sheet', '=', sheetId)
      .executeTakeFirst()) ?? { replaced_words: [] };
    const isForgotten = (each: ReplacedWord): boolean => each.column === column && each.written === fold(written);
    if (!replacedWords.some(isForgotten)) throw notFound('This word');
    await transaction
      .updateTable('sheet')
      .set({ replaced_words: JSON.stringify(replacedWords.filter((each) => !isForgotten(each))) })
      .where('batch', '=', uid)
      .where('sheet', '=', sheetId)
      .execute();
    await transaction
      .deleteFrom('value_choice')
      .where('kind', '=', kind.id)
      .where('sheet', '=', sheetId)
      .where('column_id', '=', column)
      .where('written', '=', fold(written))
      .execute();
    const job = await context.jobs.start<CheckImportPayload>(
      checkImportJob,
      { batch: uid, read: false },
      caller.uid,
      transaction,
    );
    await transaction
      .updateTable('batch')
      .set(({ eb }) => ({ phase: 'CHECKING', job, version: eb('version', '+', 1) }))
      .where('uid', '=', uid)
      .execute();
  });
  await context.jobs.notifyRunners();
  return loadImport(context, uid, kind);
}
