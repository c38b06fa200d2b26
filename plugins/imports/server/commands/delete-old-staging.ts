import { sql, type Kysely } from 'kysely';
import type { ImportsTables } from '../tables.ts';

/** Days after which the rows of a finished import are deleted, and an open import without a job is cancelled. */
export const stagingLifetimeDays = 30;

/** Deletes the rows of old imports. The history with its counts, and the uploaded files, are kept. */
export async function deleteOldStaging(tables: Kysely<ImportsTables>): Promise<void> {
  const cutoff = sql`now() - make_interval(days => ${stagingLifetimeDays})`;
  await sql`
    update imports.batch set phase = 'CANCELLED', finished_at = now(), version = version + 1
    where phase in ('FILES', 'WAITING', 'COLUMNS', 'PREVIEW') and job is null and created_at < ${cutoff}`.execute(
    tables,
  );
  // Findings are deleted with their rows.
  await sql`
    delete from imports.staged_row using imports.batch
    where staged_row.batch = batch.uid and batch.finished_at < ${cutoff}`.execute(tables);
  // Those of a check that was killed or cancelled.
  await sql`
    delete from imports.current_row where not exists (
      select from imports.batch where uid = current_row.batch and phase in ('CHECKING', 'APPLYING'))`.execute(tables);
}
