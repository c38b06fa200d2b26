import { mkdtemp, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Explains in one sentence why a folder, existing or not, cannot be written; undefined if it can. Leaves nothing
 * behind.
 */
export async function folderProblem(folder: string): Promise<string | undefined> {
  const at = await nearest(path.resolve(folder));
  if (!at.isFolder) return `'${at.place}' is a file, not a folder.`;
  // Tried by writing: permission bits do not hold for every account and file system.
  return mkdtemp(path.join(at.place, '.walkdown-')).then(
    async (made) => void (await rmdir(made)),
    (cause: unknown) =>
      `Nothing can be written into '${at.place}': ` +
      `${cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)}.`,
  );
}

/** The folder itself, or its nearest existing ancestor. */
async function nearest(folder: string): Promise<{ readonly place: string; readonly isFolder: boolean }> {
  for (let place = folder; ; place = path.dirname(place)) {
    const found = await stat(place).catch(() => undefined);
    if (found) return { place, isFolder: found.isDirectory() };
    if (path.dirname(place) === place) throw new Error(`There is no '${place}'.`);
  }
}
