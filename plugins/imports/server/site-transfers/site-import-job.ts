import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pickLocalizedError, type LocalizedRefusal } from '#core';
import {
  Callers,
  isOutage,
  noAccess,
  ServerError,
  temporaryFilesFull,
  writeTemporaryFiles,
  type JobOutcome,
  type JobRun,
} from '#core/server';
import { importsRefusal } from '../../contract/errors.ts';
import { withJobFolder } from '../adapters/temporary-folder.ts';
import type { ImportContext } from '../import-context.ts';
import { importInto } from './site-transfers.ts';
import { unpackSite } from './unpack-site.ts';

export const siteImportJob = 'imports.import-site';
export interface SiteImportPayload {
  /** Uid of a row of `site_import`. */
  readonly import: string;
}

const progressIntervalMs = 500;
/** How often it is checked whether the import was cancelled. */
const checkIntervalMs = 1000;

/**
 * Computes what an uploaded site would change, or imports it if a person has decided that. Both begin again after a
 * kill, which does not undo what was written.
 */
export async function runSiteImport(context: ImportContext, run: JobRun<SiteImportPayload>): Promise<JobOutcome> {
  const { tables } = context;
  const uid = run.payload.import;
  const findRow = () => tables.selectFrom('site_import').selectAll().where('uid', '=', uid).executeTakeFirst();
  const row = await findRow();
  if (row?.job !== run.id || row.file === null) return { result: 'SUCCESS' };
  const isApplying = row.phase === 'APPLYING';
  if (!isApplying && row.phase !== 'CHECKING') return { result: 'SUCCESS' };
  const finish = async (values: Readonly<Record<string, unknown>>): Promise<boolean> => {
    const { numUpdatedRows } = await tables
      .updateTable('site_import')
      .set({ ...values, job: null })
      .where('uid', '=', uid)
      .where('job', '=', run.id)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  };
  const cancellation = new AbortController();
  const checkTimer = setInterval(() => {
    // The import itself reports an outage of the database.
    findRow().then(
      (currentImport) => currentImport?.job === run.id || cancellation.abort(),
      () => undefined,
    );
  }, checkIntervalMs);
  try {
    const restarted = isApplying && (row.restarted || run.cursor !== undefined);
    // The cursor is saved once, so that an import that ends its process repeatedly is given up.
    if (run.cursor === undefined) await run.progress({ done: 0, cursor: 'begun' });
    const summary = await importFile(context, run, row.file, {
      author: row.author,
      dryRun: !isApplying,
      signal: AbortSignal.any([run.signal, cancellation.signal]),
    });
    await finish({
      phase: isApplying ? 'DONE' : 'PREVIEW',
      site: summary.site,
      site_name: summary.name,
      contents: JSON.stringify(summary.contents),
      restarted,
    });
    if (isApplying) await deleteSiteFile(context, { uid, file: row.file });
    return { result: 'SUCCESS' };
  } catch (error) {
    // Cancelling a check deletes its file. That can make the check fail before the timer sees the cancellation.
    const isDiscarded =
      cancellation.signal.aborted ||
      (await findRow().then(
        (currentImport) => currentImport?.job !== run.id,
        () => false,
      ));
    if (isDiscarded) return { result: 'SUCCESS' };
    if (run.signal.aborted || isOutage(error)) throw error;
    const refusal = toRefusal(run, error, isApplying);
    const isFinished = await finish({ phase: 'FAILED', refusal: JSON.stringify(pickLocalizedError(refusal)) });
    // A file with an error is deleted. After any other failure it can be checked or imported again.
    const hasFileError = !isApplying && error instanceof ServerError && error.status < 500;
    if (isFinished && hasFileError) await deleteSiteFile(context, { uid, file: row.file });
    return { result: 'FAILED', message: refusal };
  } finally {
    clearInterval(checkTimer);
  }
}

function toRefusal(run: JobRun<SiteImportPayload>, error: unknown, applies: boolean): LocalizedRefusal {
  if (error instanceof ServerError && (error.status < 500 || error.status === temporaryFilesFull().status)) {
    const { userMessage } = error;
    if (typeof userMessage !== 'string') return userMessage;
    return applies
      ? importsRefusal('imports.refused.transferContent', { text: userMessage })
      : importsRefusal('imports.refused.transferCheckContent', { text: userMessage });
  }
  run.log.error({ err: error, import: run.payload.import }, 'A site could not be imported.');
  return applies
    ? importsRefusal('imports.refused.transferFailed', { reference: run.id })
    : importsRefusal('imports.refused.transferCheckFailed', { reference: run.id });
}

/** Deletes the file first, so that no file is left without a row that names it. */
export async function deleteSiteFile(
  { tables, files }: Pick<ImportContext, 'tables' | 'files'>,
  { uid, file }: { readonly uid: string; readonly file: string },
): Promise<void> {
  await files.remove(file);
  await tables.updateTable('site_import').set({ file: null }).where('uid', '=', uid).execute();
}

async function importFile(
  context: ImportContext,
  run: JobRun<SiteImportPayload>,
  file: string,
  { author, dryRun, signal }: { readonly author: string; readonly dryRun: boolean; readonly signal: AbortSignal },
) {
  // The rights of the author may have changed since the upload.
  const caller = await context.service(Callers).find({ uid: author });
  if (!caller) throw noAccess();
  let lastProgress = 0;
  return withJobFolder(run.id, async (folder) => {
    const zip = path.join(folder, 'site.zip');
    const siteFolder = path.join(folder, 'site');
    const source = await context.files.read(file);
    await writeTemporaryFiles(async () => {
      await pipeline(source, createWriteStream(zip), { signal });
      await mkdir(siteFolder);
      await unpackSite(zip, siteFolder, signal);
      await rm(zip);
    });
    return importInto(context, {
      folder: siteFolder,
      author: { caller, requestId: run.payload.import },
      dryRun,
      signal,
      onProgress: async (doneCount, total) => {
        if (doneCount < total && performance.now() - lastProgress < progressIntervalMs) return;
        lastProgress = performance.now();
        await run.progress({ done: doneCount, total });
      },
    });
  });
}
