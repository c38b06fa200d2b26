import { sql } from 'kysely';
import type { BodyOf } from '#core';
import { conflict } from '#core/server';
import type { Import } from '#plugins/imports';
import type { applyImport } from '../../contract/api.ts';
import { importsRefusal } from '../../contract/errors.ts';
import { assertPhase, getBatch, type Author, type ImportContext } from '../import-context.ts';
import { applyImportJob, type ApplyImportPayload } from '../jobs/apply-import.ts';
import { loadImport } from '../queries/load-import.ts';

/**
 * Begins to write an import.
 *
 * @throws `conflict` (409) if a row has an error, or if the import was changed since `version`
 */
export async function startApplying(
  context: ImportContext,
  { caller, requestId }: Author,
  uid: string,
  { version, remove, backup }: BodyOf<typeof applyImport>,
): Promise<Import> {
  const { tables, jobs } = context;
  const batch = await getBatch(context, caller, uid);
  const kind = context.kinds.get(batch.kind, caller);
  await tables.transaction().execute(async (transaction) => {
    const locked = await transaction
      .selectFrom('batch')
      .selectAll()
      .where('uid', '=', uid)
      .forUpdate()
      .executeTakeFirstOrThrow();
    assertPhase(locked, ['PREVIEW']);
    if (locked.version !== version) throw conflict(importsRefusal('imports.refused.importChanged'));
    const wrong = await transaction
      .selectFrom('staged_row')
      .select('id')
      .where('batch', '=', uid)
      .where('state', '=', 'ERROR')
      .where(sql<boolean>`(number is not null or ${remove}::boolean)`)
      .limit(1)
      .executeTakeFirst();
    if (wrong || locked.findings.some(({ severity }) => severity === 'ERROR'))
      throw conflict(importsRefusal('imports.refused.hasErrors'));
    const job = await jobs.start<ApplyImportPayload>(
      applyImportJob,
      { batch: uid, remove, backup, author: caller.uid, requestId, session: caller.session },
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

/** @throws `conflict` (409) if the import is being applied or done */
export async function cancelBatch(context: ImportContext, { caller }: Author, uid: string): Promise<Import> {
  const batch = await getBatch(context, caller, uid);
  const kind = context.kinds.get(batch.kind, caller);
  if (batch.phase !== 'CANCELLED') {
    assertPhase(batch, ['FILES', 'READING', 'COLUMNS', 'CHECKING', 'PREVIEW']);
    const { numUpdatedRows } = await context.tables
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
  }
  return loadImport(context, uid, kind);
}
