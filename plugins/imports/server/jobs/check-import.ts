import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import path from 'node:path';
import { sql, type Kysely } from 'kysely';
import { pickLocalizedError, type LocalizedRefusal } from '#core';
import {
  allowLongStatements,
  isOutage,
  planEachStatement,
  ServerError,
  type JobOutcome,
  type JobRun,
} from '#core/server';
import { importsRefusal } from '../../contract/errors.ts';
import { readImportFile } from '../adapters/read-import-file.ts';
import { withTemporaryFolder } from '../adapters/temporary-folder.ts';
import type { SheetChoices } from '../commands/match-sheets.ts';
import { ReplacedWords, storeReplacedWords } from '../commands/replaced-words.ts';
import { remapRows } from '../commands/stage-rows.ts';
import { readScope, toStagedImport, type Batch, type ImportContext } from '../import-context.ts';
import type { AnyKind } from '../kinds/kind-registry.ts';
import { checkRows, listCheckSteps } from '../queries/check-rows.ts';
import { rowsPerGroup } from '../queries/compare-rows.ts';
import { loadSheetChoices, loadValueChoices } from '../queries/choices.ts';
import type { StagedImport } from '../queries/sheet-rows.ts';
import type { ImportsTables } from '../tables.ts';
import { measureNewPictures } from './measure-pictures.ts';
import { SheetStager } from './stage-sheets.ts';

export const checkImportJob = 'imports.check';
export interface CheckImportPayload {
  readonly batch: string;
  /** Whether the files are read again. If not, the stored rows are read again, because columns were chosen. */
  readonly read: boolean;
}

/** Reads the files of an import, checks its rows and opens the preview. Begins anew after a kill. */
export async function runCheckImport(context: ImportContext, run: JobRun<CheckImportPayload>): Promise<JobOutcome> {
  const { tables } = context;
  const batch = await tables.selectFrom('batch').selectAll().where('uid', '=', run.payload.batch).executeTakeFirst();
  const kind = batch && context.kinds.find(batch.kind);
  if (!batch || !kind || batch.job !== run.id || !isRunning(batch)) return { result: 'SUCCESS' };
  try {
    const mustChoose = run.payload.read
      ? await stageFiles(context, run, batch, kind)
      : await remap(context, run, batch, kind);
    if (!mustChoose) await finishChecking(context, run, batch, kind);
    else
      await tables
        .updateTable('batch')
        .set(({ eb }) => ({ phase: 'COLUMNS' as const, job: null, version: eb('version', '+', 1) }))
        .where('uid', '=', batch.uid)
        .where('job', '=', run.id)
        .execute();
    return { result: 'SUCCESS' };
  } catch (error) {
    if (run.signal.aborted || isOutage(error)) throw error;
    const refusal = toRefusal(run, error);
    if (run.payload.read && Object.keys(batch.layouts).length > 0)
      return readWithoutLayouts(context, run, batch, refusal);
    await returnToFiles(tables, batch.uid, run.id, refusal);
    return { result: 'FAILED', message: refusal };
  }
}

/**
 * Checks the rows and opens the preview. Each statement has a transaction of its own, so that other requests can use
 * the connection of the embedded database in between. Ends early if the import is cancelled.
 */
async function finishChecking(
  context: ImportContext,
  run: JobRun<CheckImportPayload>,
  batch: Batch,
  kind: AnyKind,
): Promise<void> {
  const { tables } = context;
  const stagedImport = await toStagedImport(context, batch, kind);
  // Without statistics of rows that were just written, the planner joins them row by row.
  await sql`analyze imports.staged_row, imports.finding`.execute(tables);
  const { rows } = await tables
    .selectFrom('staged_row')
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .where('batch', '=', batch.uid)
    .executeTakeFirstOrThrow();
  const steps = [
    ...(await listCheckSteps(tables, stagedImport)),
    (transaction: Kysely<ImportsTables>) => showPreview(transaction, stagedImport),
  ];
  for (const [index, step] of steps.entries()) {
    const isCancelled = await tables.transaction().execute(async (transaction) => {
      await allowLongStatements(transaction);
      const { job } = await transaction
        .selectFrom('batch')
        .select('job')
        .where('uid', '=', batch.uid)
        .forUpdate()
        .executeTakeFirstOrThrow();
      if (job !== run.id) return true;
      // Fails if another attempt has taken over the lease, so that only one attempt checks.
      await run.progress({ done: index, total: steps.length }, transaction);
      await planEachStatement(transaction);
      await step(transaction);
      return false;
    });
    if (context.changes.blocksOthers) await letOthersRun(tables);
    if (isCancelled) {
      await tables.deleteFrom('current_row').where('batch', '=', batch.uid).execute();
      return;
    }
  }
  if (rows > rowsPerGroup) await freeCurrentRows(context);
}

/** Number of queries that another call can run between two steps. */
const queriesBetweenSteps = 8;

/**
 * Lets calls that wait for the one session run several queries: the session is given in the order in which it is asked
 * for. Otherwise each query of a call would wait for another step.
 */
async function letOthersRun(tables: Kysely<ImportsTables>): Promise<void> {
  for (let query = 0; query < queriesBetweenSteps; query += 1) await sql`select`.execute(tables);
}

/** The embedded database has no autovacuum: its file would grow with each large import. The import is finished anyway. */
async function freeCurrentRows({ tables, log }: ImportContext): Promise<void> {
  try {
    await sql`vacuum (skip_locked) imports.current_row`.execute(tables);
  } catch (error) {
    log.warn({ err: error }, 'The space of compared rows was not freed.');
  }
}

/** Reads the files again without the chosen layouts, which made them unreadable, and adds a finding that says why. */
async function readWithoutLayouts(
  context: ImportContext,
  run: JobRun<CheckImportPayload>,
  batch: Batch,
  refusal: LocalizedRefusal,
): Promise<JobOutcome> {
  const { tables } = context;
  await tables.updateTable('batch').set({ layouts: '{}' }).where('uid', '=', batch.uid).execute();
  const outcome = await runCheckImport(context, run);
  const { findings } = await tables
    .selectFrom('batch')
    .select('findings')
    .where('uid', '=', batch.uid)
    .executeTakeFirstOrThrow();
  const finding = { ...pickLocalizedError(refusal), column: null, severity: 'WARNING' as const };
  await tables
    .updateTable('batch')
    .set(({ eb }) => ({ findings: JSON.stringify([finding, ...findings]), version: eb('version', '+', 1) }))
    .where('uid', '=', batch.uid)
    .execute();
  return outcome;
}

const isRunning = ({ phase }: Batch): boolean => phase === 'READING' || phase === 'CHECKING';

function toRefusal(run: JobRun<CheckImportPayload>, error: unknown): LocalizedRefusal {
  if (error instanceof ServerError && error.status < 500 && typeof error.userMessage !== 'string')
    return error.userMessage;
  run.log.error({ err: error, batch: run.payload.batch }, 'An import could not be checked.');
  return importsRefusal('imports.refused.failed', { reference: run.id });
}

/** A file that cannot be read can be replaced. */
async function returnToFiles(
  tables: Kysely<ImportsTables>,
  uid: string,
  job: string,
  refusal: LocalizedRefusal,
): Promise<void> {
  await tables
    .updateTable('batch')
    .set({
      phase: 'FILES',
      job: null,
      refusal: JSON.stringify(pickLocalizedError(refusal)),
    })
    .where('uid', '=', uid)
    .where('job', '=', job)
    .execute();
}

/** Compares and checks all rows, and opens the preview, in the transaction of the caller. */
export async function openPreview(transaction: Kysely<ImportsTables>, stagedImport: StagedImport): Promise<void> {
  await checkRows(transaction, stagedImport);
  await showPreview(transaction, stagedImport);
}

/** Opens the preview of checked rows. */
export async function showPreview(transaction: Kysely<ImportsTables>, stagedImport: StagedImport): Promise<void> {
  await transaction
    .updateTable('batch')
    .set(({ eb }) => ({ phase: 'PREVIEW' as const, job: null, refusal: null, version: eb('version', '+', 1) }))
    .where('uid', '=', stagedImport.batch)
    .execute();
}

/** Removes what an earlier attempt staged, with its counts. */
export async function clearStaging(tables: Kysely<ImportsTables>, batch: string): Promise<void> {
  await tables.updateTable('batch').set({ counts: '{}' }).where('uid', '=', batch).execute();
  await tables.deleteFrom('current_row').where('batch', '=', batch).execute();
  await tables.deleteFrom('finding').where('batch', '=', batch).execute();
  await tables.deleteFrom('staged_row').where('batch', '=', batch).execute();
  await tables.deleteFrom('sheet').where('batch', '=', batch).execute();
}

async function stageFiles(
  context: ImportContext,
  run: JobRun<CheckImportPayload>,
  batch: Batch,
  kind: AnyKind,
): Promise<boolean> {
  const { tables } = context;
  await clearStaging(tables, batch.uid);
  await measureNewPictures(context, run, batch.uid);
  const files = await tables
    .selectFrom('file')
    .selectAll()
    .where('batch', '=', batch.uid)
    .where('picture', '=', false)
    // Of files with the same sheet, the last one is read. Files of the API continue each other.
    .orderBy('position', batch.api ? 'asc' : 'desc')
    .execute();
  const { layouts } = batch;
  const sheetChoices: SheetChoices = batch.api ? new Map() : await loadSheetChoices(tables, kind.id, batch.uid);
  const stager = new SheetStager({
    tables,
    batch: batch.uid,
    kind,
    kinds: context.kinds.all(),
    sheetChoices,
    scope: await readScope(context, batch),
    continued: batch.api,
    readsFormats: !batch.api,
    readsAhead: true,
    layouts,
    step: (rows, write) =>
      tables.transaction().execute(async (transaction) => {
        await write(transaction);
        await run.progress({ done: rows }, transaction);
      }),
  });
  try {
    for (const { file, name } of files) {
      const content = await context.files.read(file);
      await withTemporaryFolder(async (folder) => {
        const local = path.join(folder, 'file');
        await pipeline(content, createWriteStream(local));
        await stager.addFile(readImportFile({ path: local, name }, kind, run.signal, { layouts, sheetChoices }), name);
      });
    }
  } finally {
    // If a sheet cannot be read because of a wrong choice, a person must be able to take it back.
    await tables
      .updateTable('batch')
      .set({ file_sheets: JSON.stringify(stager.fileSheets) })
      .where('uid', '=', batch.uid)
      .where('job', '=', run.id)
      .execute();
  }
  stager.finish();
  await tables
    .updateTable('batch')
    .set({ findings: JSON.stringify(stager.findings), phase: 'CHECKING' })
    .where('uid', '=', batch.uid)
    .where('job', '=', run.id)
    .execute();
  if (!stager.mustChoose && stager.mustReadAgain) await remap(context, run, batch, kind);
  return stager.mustChoose;
}

/** Finds the values of all rows again by the chosen columns. */
async function remap(
  context: ImportContext,
  run: JobRun<CheckImportPayload>,
  batch: Batch,
  kind: AnyKind,
): Promise<false> {
  const { tables } = context;
  const scope = await readScope(context, batch);
  const sheets = await tables.selectFrom('sheet').selectAll().where('batch', '=', batch.uid).execute();
  let doneCount = 0;
  for (const { sheet: id, headers, constants } of sheets) {
    const sheet = kind.sheets.find((candidate) => candidate.id === id);
    if (!sheet) continue;
    const mapping = {
      sheet,
      headers,
      constants,
      scope,
      choices: await loadValueChoices(tables, kind.id, sheet, scope, batch.api),
      replacedWords: new ReplacedWords(),
    };
    for (let last = '0', rows = -1; rows !== 0;)
      ({ last, rows } = await tables.transaction().execute(async (transaction) => {
        const step = await remapRows(transaction, batch.uid, mapping, last);
        doneCount += step.rows;
        await run.progress({ done: doneCount }, transaction);
        return step;
      }));
    await storeReplacedWords(tables, batch.uid, mapping);
  }
  return false;
}
