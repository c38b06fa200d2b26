import type { Kysely } from 'kysely';
import type { Jobs } from '#core/server';
import { selectWaiting } from '../queries/following-kinds.ts';
import type { FileLayout, ImportsTables } from '../tables.ts';
import { checkImportJob, type CheckImportPayload } from './check-import.ts';

/** Begins to read the files of an import, by its layouts unless others are given. */
export async function startReading(
  jobs: Pick<Jobs, 'start'>,
  transaction: Kysely<ImportsTables>,
  uid: string,
  author: string,
  layouts?: Readonly<Record<string, FileLayout>>,
): Promise<void> {
  const job = await jobs.start<CheckImportPayload>(checkImportJob, { batch: uid, read: true }, author, transaction);
  await transaction
    .updateTable('batch')
    .set(({ eb }) => ({
      phase: 'READING' as const,
      job,
      refusal: null,
      file_sheets: '[]',
      ...(layouts ? { layouts: JSON.stringify(layouts) } : {}),
      version: eb('version', '+', 1),
    }))
    .where('uid', '=', uid)
    .execute();
}

/**
 * Begins to read the imports that wait for one that is applied. Their rows are locked: each begins once, or is
 * cancelled.
 */
export async function startFollowers(
  jobs: Pick<Jobs, 'start'>,
  transaction: Kysely<ImportsTables>,
  uid: string,
): Promise<void> {
  const followers = await selectWaiting(transaction, uid).select(['uid', 'author']).forUpdate().execute();
  for (const follower of followers) await startReading(jobs, transaction, follower.uid, follower.author);
}

/** Cancels the imports that wait for one that is not applied. */
export async function cancelFollowers(transaction: Kysely<ImportsTables>, uid: string): Promise<void> {
  await transaction
    .updateTable('batch')
    .set(({ eb }) => ({ phase: 'CANCELLED' as const, finished_at: new Date(), version: eb('version', '+', 1) }))
    .where('uid', 'in', selectWaiting(transaction, uid).select('uid'))
    .execute();
}
