import { DatabaseAwayError, DatabaseFullError } from '../kernel/database-error.ts';
import type { FileStore } from './file-store.ts';

/**
 * Does what makes use of files that were put: where it fails, nobody would ever remove them, so they are removed. They
 * stay where the database was lost, and may have saved what names them.
 */
export async function removeOnFailure<T>(
  files: Pick<FileStore, 'remove'>,
  ids: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DatabaseAwayError && !(error instanceof DatabaseFullError)) throw error;
    // What cannot be removed now, the store's sweep removes.
    for (const id of ids) await files.remove(id).catch(() => undefined);
    throw error;
  }
}
