import { createReadStream } from 'node:fs';
import { sql, type Selectable } from 'kysely';
import {
  conflict,
  isUniqueViolation,
  notFound,
  removeOnFailure,
  type CallAuthor,
  type Caller,
  type ReceivedUpload,
} from '#core/server';
import { siteExportDays, type SiteImportState } from '../../contract/api.ts';
import { importsRefusal } from '../../contract/errors.ts';
import type { ImportContext } from '../import-context.ts';
import type { ImportsTables } from '../tables.ts';
import { assertImportRights } from './import-site.ts';
import { createPartsConverter } from './transferred-parts.ts';
import { deleteSiteFile, siteImportJob, type SiteImportPayload } from './site-import-job.ts';

type Row = Selectable<ImportsTables['site_import']>;

/** Name of the file guard of uploaded sites. */
export const siteImportGuard = 'imports.siteImport';

export const siteImportUpload = { accept: ['application/zip'], maximumBytes: 50 * 1024 ** 3 };

const lifetimeMs = siteExportDays * 24 * 60 * 60 * 1000;

/**
 * Stores the file and starts its check. Repeating it with the same uid returns the same import.
 *
 * @throws `noAccess` (403) without the flags of an import of a site; `conflict` (409) if the uid is in use
 */
export async function receiveSiteImport(
  context: ImportContext,
  author: CallAuthor,
  uid: string,
  { files: [receivedFile] }: ReceivedUpload,
): Promise<SiteImportState> {
  const { tables, files, jobs } = context;
  const { caller } = author;
  assertImportRights(author);
  const { name, path } = receivedFile!;
  const findAuthor = async (): Promise<string | undefined> =>
    (await tables.selectFrom('site_import').select('author').where('uid', '=', uid).executeTakeFirst())?.author;
  const existingAuthor = await findAuthor();
  if (existingAuthor === undefined) {
    const { id, bytes } = await files.put(
      { name, mediaType: 'application/zip', audience: { kind: 'signedIn', guard: siteImportGuard } },
      createReadStream(path),
    );
    await removeOnFailure(files, [id], () =>
      tables.transaction().execute(async (transaction) => {
        const row = {
          uid,
          author: caller.uid,
          file: id,
          file_name: name,
          bytes,
          phase: 'CHECKING' as const,
          job: null,
        };
        await transaction
          .insertInto('site_import')
          .values({ ...row, created_at: new Date() })
          .execute();
        await startJob({ jobs }, transaction, caller, uid);
      }),
    ).catch(async (error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
      // The same request may have been sent twice at once.
      const storedAuthor = await findAuthor();
      if (storedAuthor !== caller.uid) throw conflict('A uid of the request is in use.');
    });
    await jobs.notifyRunners();
  } else if (existingAuthor !== caller.uid) throw conflict('A uid of the request is in use.');
  return getSiteImport(context, caller, uid);
}

async function startJob(
  { jobs }: Pick<ImportContext, 'jobs'>,
  transaction: ImportContext['tables'],
  caller: Caller,
  uid: string,
): Promise<void> {
  const job = await jobs.start<SiteImportPayload>(siteImportJob, { import: uid }, caller.uid, transaction);
  await transaction.updateTable('site_import').set({ job }).where('uid', '=', uid).execute();
}

/**
 * Applies or cancels an import. `APPLYING` is allowed after the preview and after a failure; a failed check is
 * repeated. `CANCELLED` is allowed unless the import is being written or is done.
 *
 * @throws `noAccess` (403); `notFound` (404) if the caller has no such import; `conflict` (409) in another phase
 */
export async function decideSiteImport(
  context: ImportContext,
  author: CallAuthor,
  uid: string,
  decision: 'APPLYING' | 'CANCELLED',
): Promise<SiteImportState> {
  const { tables, jobs } = context;
  const { caller } = author;
  assertImportRights(author);
  // Reads the state first, because it is FAILED if a job ended without storing a result.
  const state = await getSiteImport(context, caller, uid);
  const applies = decision === 'APPLYING';
  const file = await tables.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('site_import')
      .selectAll()
      .where('uid', '=', uid)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (row.phase === decision || (applies && row.phase === 'DONE')) return null;
    const isAllowed = applies ? state.applicable : state.phase !== 'APPLYING' && state.phase !== 'DONE';
    if (!isAllowed || !isSamePhase(row, state)) throw conflict(importsRefusal('imports.refused.wrongPhase'));
    // A failed check that kept its file is repeated first.
    const phase = applies && row.site === null ? 'CHECKING' : decision;
    await transaction
      .updateTable('site_import')
      .set({ phase, refusal: null, ...(applies ? {} : { job: null }) })
      .where('uid', '=', uid)
      .execute();
    if (!applies) return row.file;
    await startJob(context, transaction, caller, uid);
    return null;
  });
  if (file !== null) await deleteSiteFile(context, { uid, file });
  await jobs.notifyRunners();
  return getSiteImport(context, caller, uid);
}

const isSamePhase = (row: Row, { phase }: SiteImportState): boolean => row.phase === phase || phase === 'FAILED';

/** @throws `notFound` (404) if there is no such import of the caller */
async function getSiteImport(context: ImportContext, caller: Caller, uid: string): Promise<SiteImportState> {
  const row = await context.tables
    .selectFrom('site_import')
    .selectAll()
    .where('uid', '=', uid)
    .where('author', '=', caller.uid)
    .executeTakeFirst();
  if (!row) throw notFound('This import');
  return (await toStates(context, [row]))[0]!;
}

export async function readSiteImports(
  context: ImportContext,
  caller: Caller,
  { offset = 0, limit = 200 }: { readonly offset?: number; readonly limit?: number },
) {
  const ownImports = context.tables.selectFrom('site_import').where('author', '=', caller.uid);
  const { total } = await ownImports.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow();
  const rows = await ownImports
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('uid')
    .offset(offset)
    .limit(limit)
    .execute();
  return { total: Number(total), offset, rows: await toStates(context, rows) };
}

const isRunning = ({ phase }: Row): boolean => phase === 'CHECKING' || phase === 'APPLYING';

async function toStates(context: ImportContext, rows: readonly Row[]): Promise<SiteImportState[]> {
  const jobsById = await context.jobs.findAll(rows.flatMap((row) => (isRunning(row) && row.job ? [row.job] : [])));
  const toTransferredParts = createPartsConverter(context);
  return rows.map((row): SiteImportState => {
    const job = jobsById.get(row.job ?? '')?.status === 'INPROGRESS' ? row.job : null;
    // A job that ended without storing a result has failed.
    const phase = isRunning(row) && job === null ? 'FAILED' : row.phase;
    return {
      uid: row.uid,
      fileName: row.file_name,
      bytes: Number(row.bytes),
      site: row.site,
      siteName: row.site_name,
      phase,
      job,
      refusal: row.refusal,
      applicable: row.file !== null && (phase === 'PREVIEW' || phase === 'FAILED'),
      restarted: row.restarted,
      contents: toTransferredParts(row.contents),
      createdAt: row.created_at.toISOString(),
      expiresAt: new Date(row.created_at.getTime() + lifetimeMs).toISOString(),
    };
  });
}

/** Deletes imports with their files after some days, except those that a job is writing. */
export async function deleteOldSiteImports({
  tables,
  files,
  jobs,
}: Pick<ImportContext, 'tables' | 'files' | 'jobs'>): Promise<void> {
  const expiredImports = await tables
    .selectFrom('site_import')
    .select(['uid', 'file', 'phase', 'job'])
    .where(sql<boolean>`created_at < now() - make_interval(days => ${siteExportDays})`)
    .execute();
  const jobsById = await jobs.findAll(
    expiredImports.flatMap(({ phase, job }) => (phase === 'APPLYING' && job ? [job] : [])),
  );
  for (const { uid, file, job } of expiredImports) {
    if (jobsById.get(job ?? '')?.status === 'INPROGRESS') continue;
    if (file !== null) await files.remove(file);
    await tables.deleteFrom('site_import').where('uid', '=', uid).execute();
  }
}
