import { mkdtemp, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Returns a sentence that explains why a folder cannot be written, or undefined if it can be written. The folder need
 * not exist, and is not created.
 */
export async function findFolderProblem(folder: string): Promise<string | undefined> {
  const existingEntry = await findNearestExisting(path.resolve(folder));
  if (!existingEntry.isFolder) return `'${existingEntry.path}' is a file, not a folder.`;
  // Creates a folder, because permission bits do not hold for every account and file system.
  return mkdtemp(path.join(existingEntry.path, '.walkdown-')).then(
    async (testFolder) => void (await rmdir(testFolder)),
    (cause: unknown) =>
      `Nothing can be written into '${existingEntry.path}': ` +
      `${cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)}.`,
  );
}

/** Finds the folder itself or its nearest existing ancestor. */
async function findNearestExisting(folder: string): Promise<{ readonly path: string; readonly isFolder: boolean }> {
  for (let candidate = folder; ; candidate = path.dirname(candidate)) {
    const stats = await stat(candidate).catch(() => undefined);
    if (stats) return { path: candidate, isFolder: stats.isDirectory() };
    if (path.dirname(candidate) === candidate) throw new Error(`There is no '${candidate}'.`);
  }
}
