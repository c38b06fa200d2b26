import { pickLocalizedError } from '#core';
import {
  Callers,
  isOutage,
  noAccess,
  ServerError,
  type Caller,
  type JobOutcome,
  type JobRun,
  type StoredFile,
  type TransferredSite,
} from '#core/server';
import { importsRefusal } from '../../contract/errors.ts';
import type { ImportContext } from '../import-context.ts';
import { exportSite, type ExportServices } from './export-site.ts';
import { ZipTarget } from './export-target.ts';

export const exportSiteJob = 'imports.export-site';
export interface ExportSitePayload {
  /** Uid of a row of `site_export`. */
  readonly export: string;
}

/** Name of the file guard of exports. */
export const siteExportGuard = 'imports.siteExport';

/** Whether a person may export a site now. Rights may have been removed since the export was started. */
export const canExport = async (
  { locations }: Pick<ImportContext, 'locations'>,
  caller: Caller,
  site: string,
): Promise<boolean> => caller.access.flags.includes('import') && (await locations.canAccess(caller, site));

const progressIntervalMs = 1000;
/** How often it is checked whether the export was cancelled, also within a file. */
const checkIntervalMs = 1000;

/** Writes the ZIP file of an export into the file store as a stream. Begins again after a kill. */
export async function runExportSite(
  context: ImportContext,
  services: () => ExportServices,
  run: JobRun<ExportSitePayload>,
): Promise<JobOutcome> {
  const { tables, files } = context;
  const findRow = () =>
    tables.selectFrom('site_export').selectAll().where('uid', '=', run.payload.export).executeTakeFirst();
  const row = await findRow();
  if (!row || row.finished_at !== null) return { result: 'SUCCESS' };
  const cancellation = new AbortController();
  const checkTimer = setInterval(() => {
    // The export itself reports an outage of the database.
    findRow().then(
      (currentExport) => currentExport?.cancelled === false || cancellation.abort(),
      () => undefined,
    );
  }, checkIntervalMs);
  let lastProgress = 0;
  try {
    // The rights of the author may have changed since the export was started.
    const caller = await context.service(Callers).find({ uid: row.author });
    if (!caller || !(await canExport(context, caller, row.site))) throw noAccess();
    const { file, summary } = await writeZip(context, services(), {
      site: row.site,
      locations: await context.locations.accessibleDescendants(caller, row.site),
      flags: caller.access.flags,
      language: row.language,
      signal: AbortSignal.any([run.signal, cancellation.signal]),
      onFile: async (doneCount) => {
        if (performance.now() - lastProgress < progressIntervalMs) return;
        lastProgress = performance.now();
        await run.progress({ done: doneCount });
      },
    });
    const { numUpdatedRows } = await tables
      .updateTable('site_export')
      .set({
        file: file.id,
        file_name: file.name,
        bytes: file.bytes,
        contents: JSON.stringify(summary.contents),
        finished_at: new Date(),
      })
      .where('uid', '=', row.uid)
      .where('finished_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) await files.remove(file.id);
    return { result: 'SUCCESS' };
  } catch (error) {
    if (cancellation.signal.aborted) return { result: 'SUCCESS' };
    if (run.signal.aborted || isOutage(error)) throw error;
    const refusal =
      error instanceof ServerError && error.status < 500 && typeof error.userMessage !== 'string'
        ? error.userMessage
        : importsRefusal('imports.refused.exportFailed', { reference: run.id });
    run.log.error({ err: error, site: row.site }, 'A site could not be exported.');
    await tables
      .updateTable('site_export')
      .set({ refusal: JSON.stringify(pickLocalizedError(refusal)), finished_at: new Date() })
      .where('uid', '=', row.uid)
      .execute();
    return { result: 'FAILED', message: refusal };
  } finally {
    clearInterval(checkTimer);
  }
}

async function writeZip(
  { files }: ImportContext,
  services: ExportServices,
  request: Parameters<typeof exportSite>[2],
): Promise<{ readonly file: StoredFile; readonly summary: TransferredSite }> {
  const zip = new ZipTarget();
  const day = new Date().toISOString().slice(0, 10);
  const storedFile = files.put(
    {
      name: `${request.site}-${day}.zip`,
      mediaType: 'application/zip',
      audience: { kind: 'signedIn', guard: siteExportGuard },
    },
    zip.output,
  );
  try {
    // If the disk is full, storing fails first. Without the race, the export would wait for ever for its bytes to be
    // read.
    const failure = storedFile.then(() => new Promise<never>(() => undefined));
    const summary = await Promise.race([exportSite(services, zip, request), failure]);
    zip.end();
    return { file: await storedFile, summary };
  } catch (error) {
    zip.fail(error instanceof Error ? error : new Error(String(error)));
    await storedFile.then(({ id }) => files.remove(id)).catch(() => undefined);
    throw error;
  }
}
