import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { sql } from 'kysely';
import { conflict, invalidRequest, type ImportedCounts, type ImportedFile, type SiteImport } from '#core/server';
import { importsRefusal } from '../../contract/errors.ts';
import { formatFinding } from '../commands/format-finding.ts';
import { beginImport, receiveImportFiles } from '../handlers/begin-import.ts';
import { startApplying } from '../handlers/decide-import.ts';
import { getBatch, type Batch, type ImportContext } from '../import-context.ts';
import type { AnyKind } from '../kinds/kind-registry.ts';
import { listFirstFindings } from '../queries/list-findings.ts';
import { toSummaries } from '../queries/load-import.ts';

const mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/**
 * Imports one kind as an admin would on the page Imports. Its workbooks, which continue each other, are staged and
 * checked, and applied if there is no error. An import with errors stays open on the page, where they can be fixed. A
 * dry run deletes the import afterwards; its counts include rows with errors.
 *
 * @param mayHaveErrors whether a dry run accepts rows with errors, which may refer to rows that do not exist yet
 * @throws `invalidRequest` (400), with nothing written, if a workbook is refused; `conflict` (409) if somebody
 *   corrected rows of an earlier attempt of the request
 */
export async function importWorkbook(
  context: ImportContext,
  kind: AnyKind,
  files: readonly ImportedFile[],
  { site, author, dryRun }: Pick<SiteImport, 'site' | 'author' | 'dryRun'>,
  mayHaveErrors = false,
): Promise<ImportedCounts & { readonly withErrors: number }> {
  const uid = toUid(`${author.requestId} ${kind.id}`);
  const formerResult = await finishFormerAttempt(context, uid, { author, file: files[0]!.name });
  if (formerResult) return formerResult;
  const newImport = { uid, kind: kind.id, mode: 'UPSERT' as const, ...(kind.scope === 'SITE' ? { site } : {}) };
  await beginImport(context, author, newImport, true);
  if (dryRun) await context.tables.updateTable('batch').set({ dry_run: true }).where('uid', '=', uid).execute();
  const name = files[0]!.name;
  const receivedFiles = files.map(({ path, bytes, ...file }) => ({
    field: 'file',
    name: file.name,
    mediaType,
    bytes,
    path,
    stream: () => createReadStream(path),
  }));
  await receiveImportFiles(context, author, uid, { files: receivedFiles, fields: {} });
  const batch = await waitForJob(context, author, uid);
  if (batch.phase !== 'PREVIEW') {
    await deleteBatch(context, uid);
    throw invalidRequest(
      importsRefusal('imports.refused.transferWorkbook', { file: name, text: formatProblem(batch, kind) }),
    );
  }
  const counts = sumCounts(batch);
  try {
    if (!mayHaveErrors) await assertNoErrors(context, kind, batch, { name, count: counts.withErrors });
  } catch (error) {
    if (dryRun) await deleteBatch(context, uid);
    throw error;
  }
  if (dryRun || counts.added + counts.changed === 0) {
    await deleteBatch(context, uid);
    return counts;
  }
  await startApplying(context, author, uid, { version: batch.version, remove: false, backup: false });
  const appliedBatch = await waitForJob(context, author, uid);
  if (appliedBatch.phase !== 'DONE' || appliedBatch.result === 'FAILED')
    throw invalidRequest(
      importsRefusal('imports.refused.transferWorkbook', { file: name, text: formatProblem(appliedBatch, kind) }),
    );
  return counts;
}

/**
 * Computes the uid of a staged import from the request, so that the next attempt after a kill or a failure finds what
 * the former one left.
 */
function toUid(request: string): string {
  const hex = createHash('sha256').update(request).digest('hex');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}

/**
 * Deletes what a former attempt left. If that attempt was applied, returns its rows as unchanged.
 *
 * @throws `conflict` (409) if somebody has corrected its rows
 */
async function finishFormerAttempt(
  context: ImportContext,
  uid: string,
  { author, file }: Pick<SiteImport, 'author'> & { readonly file: string },
): Promise<(ImportedCounts & { readonly withErrors: number }) | undefined> {
  const { tables, jobs } = context;
  const formerBatch = await tables.selectFrom('batch').select('job').where('uid', '=', uid).executeTakeFirst();
  if (!formerBatch) return undefined;
  if (formerBatch.job !== null && (await jobs.find(formerBatch.job))) await jobs.waitForCompletion(formerBatch.job);
  const batch = await getBatch(context, author.caller, uid);
  const [summary] = await toSummaries(context, [batch]);
  if (batch.phase === 'DONE' && batch.result !== 'FAILED' && summary?.undone === false) {
    const { added, changed, unchanged } = sumCounts(batch);
    return { added: 0, changed: 0, unchanged: added + changed + unchanged, withErrors: 0 };
  }
  const correctedRow = await tables
    .selectFrom('staged_row')
    .select('id')
    .where('batch', '=', uid)
    .where(sql<boolean>`(edits <> '{}'::jsonb or left_out)`)
    .limit(1)
    .executeTakeFirst();
  if (batch.phase === 'PREVIEW' && correctedRow)
    throw conflict(importsRefusal('imports.refused.transferCorrected', { file }));
  await deleteBatch(context, uid);
  return undefined;
}

async function waitForJob(context: ImportContext, { caller }: SiteImport['author'], uid: string): Promise<Batch> {
  const { job } = await getBatch(context, caller, uid);
  if (job !== null) await context.jobs.waitForCompletion(job);
  return getBatch(context, caller, uid);
}

const formatProblem = ({ refusal, findings }: Batch, kind: AnyKind): string => {
  const problem = refusal ?? findings.find(({ severity }) => severity === 'ERROR') ?? findings[0];
  return problem ? formatFinding(problem, undefined, 'en', kind) : '';
};

function sumCounts({ counts }: Batch): ImportedCounts & { readonly withErrors: number } {
  const total = { added: 0, changed: 0, unchanged: 0, withErrors: 0 };
  for (const sheet of Object.values(counts))
    for (const name of ['added', 'changed', 'unchanged', 'withErrors'] as const) total[name] += sheet[name];
  return total;
}

async function assertNoErrors(
  { tables }: ImportContext,
  kind: AnyKind,
  batch: Batch,
  { name, count }: { readonly name: string; readonly count: number },
): Promise<void> {
  if (batch.findings.some(({ severity }) => severity === 'ERROR'))
    throw invalidRequest(
      importsRefusal('imports.refused.transferWorkbook', { file: name, text: formatProblem(batch, kind) }),
    );
  if (count === 0) return;
  const findings = await listFirstFindings(tables, batch.uid, maxSearchedFindings);
  const firstFinding = findings.find(({ severity }) => severity === 'ERROR') ?? findings[0];
  const sheet = kind.sheets.find(({ id }) => id === firstFinding?.sheet);
  const column = sheet?.columns.find(({ id }) => id === firstFinding?.column);
  const text = firstFinding ? formatFinding(firstFinding, column, 'en', kind) : '';
  throw invalidRequest(
    importsRefusal('imports.refused.transferRows', {
      file: name,
      count,
      sheet: sheet?.name ?? '',
      row: firstFinding?.row ?? 0,
      text: column ? `${column.header.en}: ${text}` : text,
    }),
  );
}

const maxSearchedFindings = 200;

/** Deletes an import that writes nothing, so that the history does not list it. */
async function deleteBatch({ tables, files }: ImportContext, uid: string): Promise<void> {
  const storedFiles = await tables.selectFrom('file').select('file').where('batch', '=', uid).execute();
  await tables.deleteFrom('batch').where('uid', '=', uid).execute();
  for (const { file } of storedFiles) await files.remove(file);
}
