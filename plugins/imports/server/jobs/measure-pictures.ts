import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { measurePicture, ServerError, type JobRun } from '#core/server';
import { withTemporaryFolder } from '../adapters/temporary-folder.ts';
import type { ImportContext } from '../import-context.ts';

/** Copies a stored file to a temporary one while `work` runs. */
export const withLocalCopy = <T>(
  { files }: Pick<ImportContext, 'files'>,
  id: string,
  work: (file: string) => Promise<T>,
): Promise<T> =>
  withTemporaryFolder(async (folder) => {
    const local = path.join(folder, 'file');
    await pipeline(await files.read(id), createWriteStream(local));
    return work(local);
  });

/** Measures the pictures of an import that have no size yet. Damaged ones keep none. */
export async function measureNewPictures(
  context: ImportContext,
  { signal }: Pick<JobRun<unknown>, 'signal'>,
  batch: string,
): Promise<void> {
  const { tables } = context;
  const pictures = await tables
    .selectFrom('file')
    .select('file')
    .where('batch', '=', batch)
    .where('picture', '=', true)
    .where('width', 'is', null)
    .execute();
  for (const { file } of pictures) {
    signal.throwIfAborted();
    const size = await withLocalCopy(context, file, readSize);
    if (size) await tables.updateTable('file').set(size).where('batch', '=', batch).where('file', '=', file).execute();
  }
}

async function readSize(file: string): Promise<{ readonly width: number; readonly height: number } | undefined> {
  try {
    const { width, height } = await measurePicture(file);
    return { width, height };
  } catch (error) {
    if (error instanceof ServerError && error.status < 500) return undefined;
    throw error;
  }
}
