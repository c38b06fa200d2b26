import { sql } from 'kysely';
import type { ImportContext } from '../import-context.ts';

/** Deletes the uploaded pictures of finished imports, whose rows have their own copies. The history keeps the names. */
export async function deleteOldPictures({ tables, files }: Pick<ImportContext, 'tables' | 'files'>): Promise<void> {
  const { rows: finishedPictures } = await sql<{ file: string }>`
    select file.file from imports.file join imports.batch on batch.uid = file.batch
    where picture and file <> '' and finished_at is not null`.execute(tables);
  if (finishedPictures.length === 0) return;
  for (const { file } of finishedPictures) await files.remove(file);
  await sql`update imports.file set file = '' where file = any(${finishedPictures.map(({ file }) => file)}::text[])`.execute(
    tables,
  );
}
