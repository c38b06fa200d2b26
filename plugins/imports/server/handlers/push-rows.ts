import { sql } from 'kysely';
import type { BodyOf, ReplyOf } from '#core';
import { conflict, expectManyRows, notFound, type CallAuthor } from '#core/server';
import type { pushImport } from '../../contract/api.ts';
import { importsRefusal } from '../../contract/errors.ts';
import { toSheetRows } from '../adapters/read-import-file.ts';
import { rowsPerStep } from '../commands/stage-rows.ts';
import { getBatch, toStagedImport, type Batch, type ImportContext } from '../import-context.ts';
import { clearStaging, openPreview } from '../jobs/check-import.ts';
import { SheetStager } from '../jobs/stage-sheets.ts';
import { loadImport } from '../queries/load-import.ts';
import { listFirstFindings } from '../queries/list-findings.ts';
import { assertNoUnclearColumns } from './assert-no-unclear-columns.ts';
import { assertSameImport, toNewBatch } from './begin-import.ts';
import { startApplying } from './decide-import.ts';

const maxReplyFindings = 200;

/**
 * Checks the rows of one call like those of a workbook, and applies them. Repeating a call that was applied returns its
 * result. A refused call leaves no import.
 *
 * @throws `notFound` (404) for an unknown sheet; `invalidRequest` (400) if a column is unclear, also in a dry run;
 *   `conflict` (409) if the uid is that of another import or of an import by files; as `toNewBatch`
 */
export async function pushRows(
  context: ImportContext,
  author: CallAuthor,
  { sheets, dryRun, ...beginInput }: BodyOf<typeof pushImport>,
): Promise<ReplyOf<typeof pushImport>> {
  const { tables, jobs } = context;
  const { uid } = beginInput;
  const kind = context.kinds.get(beginInput.kind, author.caller);
  for (const id of Object.keys(sheets))
    if (!kind.sheets.some((sheet) => sheet.id === id)) throw notFound(`The sheet '${id}'`);
  const newBatch = await toNewBatch(context, author.caller, beginInput, true);
  const existingBatch = await findBatch(context, author, uid);
  if (existingBatch) assertSameImport(existingBatch, newBatch);
  const stagedImport = await toStagedImport(context, existingBatch ?? newBatch, kind);
  const rowCount = Object.values(sheets).flat().length;
  const isStaged = await tables.transaction().execute(async (transaction) => {
    await expectManyRows(transaction, rowCount);
    await transaction
      .insertInto('batch')
      .values(newBatch)
      .onConflict((conflictOf) => conflictOf.column('uid').doNothing())
      .execute();
    const lockedBatch = await transaction
      .selectFrom('batch')
      .selectAll()
      .where('uid', '=', uid)
      .forUpdate()
      .executeTakeFirstOrThrow();
    // A call at the same time may have created it.
    assertSameImport(lockedBatch, newBatch);
    const { phase, api } = lockedBatch;
    if (!api) throw conflict('A uid of the request is in use.');
    if (phase !== 'FILES' && phase !== 'PREVIEW') return false;
    await clearStaging(transaction, uid);
    const stager = new SheetStager({
      tables: transaction,
      batch: uid,
      kind: { ...kind, sheets: kind.sheets.map((sheet) => ({ ...sheet, required: false })) },
      scope: stagedImport.scope,
      step: (_rows, write) => write(transaction),
    });
    for (const sheet of kind.sheets) {
      const rows = sheets[sheet.id];
      if (rows) await stager.addFile(toSheetRows(sheet.name, rows));
    }
    stager.finish();
    const matchedSheets = await transaction
      .selectFrom('sheet')
      .select(['sheet', 'headers'])
      .where('batch', '=', uid)
      .execute();
    assertNoUnclearColumns(kind, matchedSheets, sheets);
    await transaction
      .updateTable('batch')
      .set({ findings: JSON.stringify(stager.findings) })
      .where('uid', '=', uid)
      .execute();
    // As in the job: without statistics of many new rows, the planner joins them row by row.
    if (rowCount > rowsPerStep) await sql`analyze imports.staged_row, imports.finding`.execute(transaction);
    await openPreview(transaction, stagedImport);
    return true;
  });
  if (isStaged && !dryRun) await applyPushedRows(context, author, uid);
  const job = (await getBatch(context, author.caller, uid)).job;
  if (job !== null) await jobs.waitForCompletion(job);
  return {
    import: await loadImport(context, uid, kind),
    findings: await listFirstFindings(tables, uid, maxReplyFindings),
  };
}

/** @throws as `getBatch`, except for an unknown import, which is undefined */
async function findBatch(context: ImportContext, { caller }: CallAuthor, uid: string): Promise<Batch | undefined> {
  const batch = await context.tables.selectFrom('batch').select('uid').where('uid', '=', uid).executeTakeFirst();
  return batch && getBatch(context, caller, uid);
}

/** If rows have errors, the import stays in the preview, which the reply describes. */
async function applyPushedRows(context: ImportContext, author: CallAuthor, uid: string): Promise<void> {
  const { version } = await getBatch(context, author.caller, uid);
  try {
    await startApplying(context, author, uid, { version, remove: true, backup: false });
  } catch (error) {
    const { message } = importsRefusal('imports.refused.hasErrors');
    if (!isRefusal(error, message)) throw error;
  }
}

const isRefusal = (error: unknown, message: string): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'userMessage' in error &&
  typeof error.userMessage === 'object' &&
  error.userMessage !== null &&
  'message' in error.userMessage &&
  error.userMessage.message === message;
