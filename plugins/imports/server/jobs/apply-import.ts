import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { pickLocalizedError, type LocalizedRefusal } from '#core';
import {
  expectManyRows,
  isOutage,
  ServerError,
  type Backups,
  type JobOutcome,
  type JobRun,
  type OpenSessions,
} from '#core/server';
import type { ApplyContext } from '#plugins/imports';
import { importsRefusal } from '../../contract/errors.ts';
import { toStagedImport, type Batch, type ImportContext } from '../import-context.ts';
import type { AnyKind } from '../kinds/kind-registry.ts';
import { checkRows, countRows } from '../queries/check-rows.ts';
import { assertFollowed } from '../queries/following-kinds.ts';
import { findOutdatedRows } from '../queries/compare-rows.ts';
import { selectFinding } from '../queries/finding-sql.ts';
import { createCheckContext, type StagedImport } from '../queries/sheet-rows.ts';
import type { ImportsTables } from '../tables.ts';
import { cancelFollowers, startFollowers } from './followers.ts';
import { withStoredPictures } from './store-pictures.ts';

export const applyImportJob = 'imports.apply';
export interface ApplyImportPayload {
  readonly batch: string;
  readonly remove: boolean;
  readonly backup: boolean;
  /** The person who applies the import, who need not be its author, and their request. */
  readonly author: string;
  readonly requestId: string;
}

export interface ApplyServices {
  readonly backups: Backups;
  readonly sessions: OpenSessions;
}

/** Rows were edited since the preview. */
class OutdatedPreviewError extends Error {
  override readonly name = 'OutdatedPreviewError';
  constructor(
    readonly refusal: LocalizedRefusal,
    readonly rows: readonly string[],
  ) {
    super(refusal.sentence);
  }
}

/**
 * Writes the rows of an import in one transaction with its history. A killed attempt has written nothing or everything,
 * and the next one finds out which.
 */
export async function runApplyImport(
  context: ImportContext,
  services: ApplyServices,
  run: JobRun<ApplyImportPayload>,
): Promise<JobOutcome> {
  const { batch: uid, backup, author } = run.payload;
  const { tables } = context;
  const batch = await tables.selectFrom('batch').selectAll().where('uid', '=', uid).executeTakeFirst();
  const kind = batch && context.kinds.find(batch.kind);
  if (!batch || !kind) return { result: 'SUCCESS' };
  if (batch.phase === 'APPLYING') {
    try {
      if (backup && run.cursor === undefined) {
        await services.backups.backUpDatabase();
        await run.progress({ done: 0, cursor: 'backup' });
      }
      await applyWithPictures(context, run, batch, kind);
    } catch (error) {
      if (run.signal.aborted || isOutage(error)) throw error;
      const refusal = toRefusal(error);
      if (!refusal) return await finishFailed(context, run, batch, error);
      await reopenPreview(context, batch, kind, refusal, error instanceof OutdatedPreviewError ? error.rows : []);
      return { result: 'FAILED', message: refusal };
    }
  } else if (batch.phase !== 'DONE' || batch.change === null) return { result: 'SUCCESS' };
  await context.jobs.notifyRunners();
  if (!batch.api && context.settings.endSessions)
    await services.sessions.endOthers({ actor: author, request: run.payload.requestId });
  return { result: 'SUCCESS' };
}

/** Returns the message of an error that the author can fix. Other errors are logged and fail the import. */
function toRefusal(error: unknown): LocalizedRefusal | undefined {
  if (error instanceof OutdatedPreviewError) return error.refusal;
  return error instanceof ServerError && error.status < 500 && typeof error.userMessage !== 'string'
    ? error.userMessage
    : undefined;
}

async function finishFailed(
  { tables }: ImportContext,
  run: JobRun<ApplyImportPayload>,
  { uid }: Batch,
  error: unknown,
): Promise<JobOutcome> {
  run.log.error({ err: error, batch: uid }, 'An import failed.');
  const refusal = importsRefusal('imports.refused.failed', { reference: run.id });
  await tables.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('batch')
      .set(({ eb }) => ({
        phase: 'DONE' as const,
        result: 'FAILED' as const,
        refusal: JSON.stringify(pickLocalizedError(refusal)),
        job: null,
        finished_at: new Date(),
        version: eb('version', '+', 1),
      }))
      .where('uid', '=', uid)
      .execute();
    await cancelFollowers(transaction, uid);
  });
  return { result: 'FAILED', message: refusal };
}

async function applyWithPictures(
  context: ImportContext,
  run: JobRun<ApplyImportPayload>,
  batch: Batch,
  kind: AnyKind,
): Promise<void> {
  const stagedImport = await toStagedImport(context, batch, kind);
  await withStoredPictures(context, stagedImport, run.signal, (pictures) =>
    applyRows(context, run, batch, stagedImport, pictures),
  );
}

async function applyRows(
  context: ImportContext,
  run: JobRun<ApplyImportPayload>,
  batch: Batch,
  stagedImport: StagedImport,
  pictures: ApplyContext<never>['pictures'],
): Promise<void> {
  const { kind } = stagedImport;
  const { remove, backup, author, requestId } = run.payload;
  const change = randomUUID();
  const { change: writtenChange } = await kind.changes.apply(
    { caller: { uid: author }, requestId },
    {
      uid: change,
      action: `${kind.id}Imported`,
      subject: batch.uid,
      name: kind.title.en,
      location: batch.site ?? '',
    },
    async (recordedTransaction) => {
      const transaction = (recordedTransaction.tables as unknown as Kysely<ImportsTables>).withSchema('imports');
      await expectManyRows(transaction, countStagedRows(batch));
      if (!remove)
        await sql`delete from imports.staged_row where batch = ${batch.uid} and number is null`.execute(transaction);
      await assertUpToDate(transaction, stagedImport);
      if (remove && !batch.api) await assertFollowed(transaction, context.kinds.all(), stagedImport);
      await kind.apply({
        ...createCheckContext(stagedImport),
        recordedTransaction,
        pictures,
        origin: batch.api ? 'CALL' : 'FILES',
      });
      await countRows(transaction, batch.uid);
      const hasWarning = await transaction
        .selectFrom('finding')
        .select('row')
        .where('batch', '=', batch.uid)
        .limit(1)
        .executeTakeFirst();
      // An import without a change must not name one, also if it is killed right after.
      const hasChange = await transaction
        .selectFrom('staged_row')
        .select('id')
        .where('batch', '=', batch.uid)
        .where('state', 'in', ['ADDED', 'CHANGED', 'REMOVED'])
        .limit(1)
        .executeTakeFirst();
      await transaction
        .updateTable('batch')
        .set(({ eb }) => ({
          phase: 'DONE' as const,
          result: hasWarning || batch.findings.length > 0 ? ('WARNING' as const) : ('SUCCESS' as const),
          refusal: null,
          job: null,
          change: hasChange ? change : null,
          backup,
          finished_at: new Date(),
          version: eb('version', '+', 1),
        }))
        .where('uid', '=', batch.uid)
        .execute();
      await startFollowers(context.jobs, transaction, batch.uid);
      await run.progress({ done: countStagedRows(batch), total: countStagedRows(batch) }, transaction);
    },
  );
  if (writtenChange === null)
    await context.tables.updateTable('batch').set({ change: null }).where('uid', '=', batch.uid).execute();
}

const countStagedRows = ({ counts }: Batch): number =>
  Object.values(counts).reduce((sum, { rows, removed }) => sum + rows + removed, 0);

/** @throws `OutdatedPreviewError` with the rows that others changed since the preview */
async function assertUpToDate(transaction: Kysely<ImportsTables>, stagedImport: StagedImport): Promise<void> {
  const outdatedRows = [];
  for (const sheet of stagedImport.kind.sheets)
    outdatedRows.push(...(await findOutdatedRows(transaction, stagedImport, sheet)));
  const [first] = outdatedRows;
  if (first)
    throw new OutdatedPreviewError(
      importsRefusal('imports.refused.rowsChanged', {
        count: outdatedRows.length,
        name: first.key.split('\u001f').at(-1) ?? '',
      }),
      outdatedRows.map(({ id }) => id),
    );
}

/** Shows the preview again, computed anew, with a warning at each row that was changed since. */
async function reopenPreview(
  context: ImportContext,
  batch: Batch,
  kind: AnyKind,
  refusal: LocalizedRefusal,
  rows: readonly string[],
): Promise<void> {
  const stagedImport = await toStagedImport(context, batch, kind);
  await context.tables.transaction().execute(async (transaction) => {
    await expectManyRows(transaction, countStagedRows(batch));
    await checkRows(transaction, stagedImport);
    await sql`
      insert into imports.finding (batch, row, sheet, column_id, message, values, severity, checked)
      select batch, id, sheet, null, found.message, found.values, 'WARNING', true
      from imports.staged_row cross join (select ${selectFinding('imports.refused.changedSince')}) as found
      where batch = ${batch.uid} and id = any(${[...rows]}::bigint[])`.execute(transaction);
    await countRows(transaction, batch.uid);
    await transaction
      .updateTable('batch')
      .set(({ eb }) => ({
        phase: 'PREVIEW' as const,
        job: null,
        refusal: JSON.stringify(pickLocalizedError(refusal)),
        version: eb('version', '+', 1),
      }))
      .where('uid', '=', batch.uid)
      .execute();
  });
}
