import { sql } from 'kysely';
import type { BodyOf } from '#core';
import { conflict, type CallAuthor } from '#core/server';
import type { Import } from '#plugins/imports';
import type { applyImport } from '../../contract/api.ts';
import { importsRefusal } from '../../contract/errors.ts';
import { assertPhase, getBatch, toStagedImport, type ImportContext } from '../import-context.ts';
import { applyImportJob, type ApplyImportPayload } from '../jobs/apply-import.ts';
import { cancelFollowers } from '../jobs/followers.ts';
import { assertFollowed } from '../queries/following-kinds.ts';
import { loadImport } from '../queries/load-import.ts';

/**
 * Begins to write an import.
 *
 * @throws `conflict` (409) if a row has an error, if the import was changed since `version`, or if it needs an import
 *   that follows it
 */
export async function startApplying(
  context: ImportContext,
  { caller, requestId }: CallAuthor,
  uid: string,
  { version, remove, backup }: BodyOf<typeof applyImport>,
): Promise<Import> {
  const { tables, jobs } = context;
  const batch = await getBatch(context, caller, uid);
  const kind = context.kinds.get(batch.kind, caller);
  const stagedImport = await toStagedImport(context, batch, kind);
  await tables.transaction().execute(async (transaction) => {
    const lockedBatch = await transaction
      .selectFrom('batch')
      .selectAll()
      .where('uid', '=', uid)
      .forUpdate()
      .executeTakeFirstOrThrow();
    assertPhase(lockedBatch, ['PREVIEW']);
    if (lockedBatch.dry_run) throw conflict(importsRefusal('imports.refused.wrongPhase'));
    if (lockedBatch.version !== version) throw conflict(importsRefusal('imports.refused.importChanged'));
    const rowWithError = await transaction
      .selectFrom('staged_row')
      .select('id')
      .where('batch', '=', uid)
      .where('state', '=', 'ERROR')
      .where(sql<boolean>`(number is not null or ${remove}::boolean)`)
      .limit(1)
      .executeTakeFirst();
    if (rowWithError || lockedBatch.findings.some(({ severity }) => severity === 'ERROR'))
      throw conflict(importsRefusal('imports.refused.hasErrors'));
    // Other systems push each kind in a separate call, so no workbook of a following kind can be added.
    if (remove && !lockedBatch.api)
      await assertFollowed(transaction, context.kinds.all(), stagedImport, (each) =>
        context.kinds.mayUse(each, caller),
      );
    const job = await jobs.start<ApplyImportPayload>(
      applyImportJob,
      { batch: uid, remove, backup, author: caller.uid, requestId },
      caller.uid,
      transaction,
    );
    await transaction
      .updateTable('batch')
      .set(({ eb }) => ({ phase: 'APPLYING' as const, job, refusal: null, version: eb('version', '+', 1) }))
      .where('uid', '=', uid)
      .execute();
  });
  await jobs.notifyRunners();
  return loadImport(context, uid, kind);
}

/**
 * Cancels an import and those that wait for it.
 *
 * @throws `conflict` (409) if the import is being applied or done
 */
export async function cancelBatch(context: ImportContext, { caller }: CallAuthor, uid: string): Promise<Import> {
  const batch = await getBatch(context, caller, uid);
  const kind = context.kinds.get(batch.kind, caller);
  if (batch.phase !== 'CANCELLED') {
    assertPhase(batch, ['FILES', 'WAITING', 'READING', 'COLUMNS', 'CHECKING', 'PREVIEW']);
    await context.tables.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('batch')
        .set(({ eb }) => ({
          phase: 'CANCELLED' as const,
          job: null,
          finished_at: new Date(),
          version: eb('version', '+', 1),
        }))
        .where('uid', '=', uid)
        .where('phase', 'not in', ['APPLYING', 'DONE'])
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw conflict(importsRefusal('imports.refused.wrongPhase'));
      await cancelFollowers(transaction, uid);
    });
  }
  return loadImport(context, uid, kind);
}
