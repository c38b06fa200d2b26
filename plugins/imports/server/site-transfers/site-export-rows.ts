import { sql, type Selectable } from 'kysely';
import { AuditLog, conflict, isUniqueViolation, noAccess, notFound, type CallAuthor, type Caller } from '#core/server';
import type { BodyOf } from '#core';
import { importsRefusal } from '../../contract/errors.ts';
import { siteExportDays, type createSiteExport, type SiteExportState } from '../../contract/api.ts';
import type { ImportContext } from '../import-context.ts';
import type { ImportsTables } from '../tables.ts';
import { createPartsConverter } from './transferred-parts.ts';
import { exportSiteJob, canExport, type ExportSitePayload } from './export-site-job.ts';

type Row = Selectable<ImportsTables['site_export']>;

const lifetimeMs = siteExportDays * 24 * 60 * 60 * 1000;

/**
 * Starts an export. If the caller has a running export of this site, returns that one. Repeating the request returns
 * the same export.
 *
 * @throws `notFound` (404) if the location is no site; `conflict` (409) if the uid is in use
 */
export async function startSiteExport(
  context: ImportContext,
  { caller, requestId }: CallAuthor,
  site: string,
  { uid, language }: BodyOf<typeof createSiteExport>,
): Promise<SiteExportState> {
  const { tables, jobs, locations } = context;
  const siteLocation = await locations.find(site);
  if (!siteLocation || siteLocation.parent !== null) throw notFound('This site');
  const endedExports = await listEndedExports(context, caller, site);
  let startedUid = uid;
  try {
    startedUid = await tables.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(hashtext(${`imports.siteExport.${caller.uid}.${site}`}))`.execute(
        transaction,
      );
      const unfinishedExport = await selectUnfinished(transaction, caller, site)
        .where(sql<boolean>`uid <> all(${endedExports}::text[])`)
        .executeTakeFirst();
      if (unfinishedExport) return unfinishedExport.uid;
      await transaction
        .insertInto('site_export')
        .values({ uid, site, site_name: siteLocation.name, language, author: caller.uid, created_at: new Date() })
        .execute();
      const payload: ExportSitePayload = { export: uid };
      const job = await jobs.start(exportSiteJob, payload, caller.uid, transaction);
      // A site leaves the product, so the audit log must say who exported it.
      await context.service(AuditLog).record(
        {
          action: 'imports.siteExported',
          actor: caller.uid,
          subject: site,
          name: siteLocation.name,
          location: site,
          request: requestId,
        },
        transaction,
      );
      await transaction.updateTable('site_export').set({ job }).where('uid', '=', uid).execute();
      return uid;
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const existingExport = await tables
      .selectFrom('site_export')
      .selectAll()
      .where('uid', '=', uid)
      .executeTakeFirstOrThrow();
    if (existingExport.author !== caller.uid || existingExport.site !== site)
      throw conflict('A uid of the request is in use.');
  }
  await jobs.notifyRunners();
  return getSiteExport(context, caller, startedUid);
}

const selectUnfinished = (tables: ImportContext['tables'], { uid }: Caller, site: string) =>
  tables
    .selectFrom('site_export')
    .select(['uid', 'job'])
    .where('author', '=', uid)
    .where('site', '=', site)
    .where('finished_at', 'is', null)
    .orderBy('created_at');

/** Lists exports whose job ended without storing a result. */
async function listEndedExports(
  { tables, jobs }: ImportContext,
  caller: Caller,
  site: string,
): Promise<readonly string[]> {
  const unfinishedExports = await selectUnfinished(tables, caller, site).execute();
  const jobById = await jobs.findAll(unfinishedExports.flatMap(({ job }) => job ?? []));
  return unfinishedExports.filter(({ job }) => jobById.get(job ?? '')?.status !== 'INPROGRESS').map(({ uid }) => uid);
}

/** @throws `notFound` (404) if there is no such export of the caller */
async function getSiteExport(context: ImportContext, caller: Caller, uid: string): Promise<SiteExportState> {
  const row = await context.tables
    .selectFrom('site_export')
    .selectAll()
    .where('uid', '=', uid)
    .where('author', '=', caller.uid)
    .executeTakeFirst();
  if (!row) throw notFound('This export');
  return (await toStates(context, [row]))[0]!;
}

/** @throws `notFound` (404) if there is no such export of the caller */
export async function stopSiteExport(context: ImportContext, caller: Caller, uid: string): Promise<SiteExportState> {
  await getSiteExport(context, caller, uid);
  await context.tables
    .updateTable('site_export')
    .set({ cancelled: true, finished_at: new Date() })
    .where('uid', '=', uid)
    .where('finished_at', 'is', null)
    .execute();
  return getSiteExport(context, caller, uid);
}

export async function readSiteExports(
  context: ImportContext,
  caller: Caller,
  { offset = 0, limit = 200 }: { readonly offset?: number; readonly limit?: number },
) {
  const ownExports = context.tables.selectFrom('site_export').where('author', '=', caller.uid);
  const { total } = await ownExports.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow();
  const rows = await ownExports
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('uid')
    .offset(offset)
    .limit(limit)
    .execute();
  return { total: Number(total), offset, rows: await toStates(context, rows) };
}

/** A job that ended without storing a result, for example because the server crashed, counts as failed. */
async function toStates(context: ImportContext, rows: readonly Row[]): Promise<SiteExportState[]> {
  const { files, jobs } = context;
  const toTransferredParts = createPartsConverter(context);
  const jobsById = await jobs.findAll(
    rows.flatMap(({ finished_at, job }) => (finished_at === null && job ? [job] : [])),
  );
  return rows.map((row): SiteExportState => {
    const job = jobsById.get(row.job ?? '');
    const isRunning = row.finished_at === null && job?.status === 'INPROGRESS';
    const phase = row.cancelled ? 'CANCELLED' : row.file !== null ? 'DONE' : isRunning ? 'RUNNING' : 'FAILED';
    return {
      uid: row.uid,
      site: row.site,
      siteName: row.site_name,
      phase,
      job: isRunning ? row.job : null,
      refusal: row.refusal,
      file:
        row.file === null
          ? null
          : { address: files.url(row.file), name: row.file_name ?? '', bytes: Number(row.bytes ?? 0) },
      contents: toTransferredParts(row.contents),
      createdAt: row.created_at.toISOString(),
      expiresAt: new Date(row.created_at.getTime() + lifetimeMs).toISOString(),
    };
  });
}

interface OldExportsContext extends Pick<ImportContext, 'tables'> {
  readonly files: Pick<ImportContext['files'], 'remove'>;
}

/**
 * Deletes exports with their files after some days. The row is deleted after its file, so that no file is left behind.
 */
export async function deleteOldExports({ tables, files }: OldExportsContext): Promise<void> {
  const expiredExports = await tables
    .selectFrom('site_export')
    .select(['uid', 'file'])
    .where(sql<boolean>`created_at < now() - make_interval(days => ${siteExportDays})`)
    .execute();
  for (const { uid, file } of expiredExports) {
    if (file !== null) await files.remove(file);
    await tables.deleteFrom('site_export').where('uid', '=', uid).execute();
  }
}

/** @throws `noAccess` (403) unless the person made the export, and may still export the site */
export async function assertOwnExport(context: ImportContext, file: string, caller: Caller): Promise<void> {
  const row = await context.tables
    .selectFrom('site_export')
    .select(['author', 'site'])
    .where('file', '=', file)
    .executeTakeFirst();
  if (row?.author !== caller.uid || !(await canExport(context, caller, row.site)))
    throw noAccess(importsRefusal('imports.refused.transferOther'));
}
