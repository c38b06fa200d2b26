import { DatabaseUnavailableError, DatabaseFullError } from '../kernel/database-error.ts';
import type { FileStore } from './file-store.ts';

/**
 * Runs work that uses stored files, and removes them if it fails, because no row refers to them. Keeps them if
 * the database connection was lost, because rows that refer to them may have been committed.
 */
export async function removeOnFailure<T>(
  files: Pick<FileStore, 'remove'>,
  ids: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DatabaseUnavailableError && !(error instanceof DatabaseFullError)) throw error;
    // The store's cleanup removes files that cannot be removed now.
    for (const id of ids) await files.remove(id).catch(() => undefined);
    throw error;
  }
}
