import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { writeTemporaryFiles } from '#core/server';

const prefix = 'walkdown-import-';
/** Older folders were left by killed servers, because no work with them takes that long. */
const maxAgeMs = 24 * 60 * 60 * 1000;

/** Runs work with a folder of its own, which is removed afterwards. */
export const withTemporaryFolder = <T>(work: (folder: string) => Promise<T>): Promise<T> =>
  writeTemporaryFiles(() => withFolder(prefix, work));

/**
 * Runs an attempt of a job with a folder of its own, and removes the folders of former attempts that were killed.
 * `work` itself marks which of its files are temporary; see `writeTemporaryFiles`.
 */
export async function withJobFolder<T>(job: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folderPrefix = `${prefix}${job}-`;
  await removeFolders((name) => name.startsWith(folderPrefix));
  return withFolder(folderPrefix, work);
}

/** Removes what killed servers left. */
export const removeOldFolders = (now = Date.now()): Promise<void> =>
  removeFolders(async (name) => {
    if (!name.startsWith(prefix)) return false;
    const changedAt = await stat(path.join(os.tmpdir(), name)).then(
      ({ mtimeMs }) => mtimeMs,
      () => now,
    );
    return now - changedAt > maxAgeMs;
  });

async function withFolder<T>(namePrefix: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await writeTemporaryFiles(() => mkdtemp(path.join(os.tmpdir(), namePrefix)));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeFolders(isRemoved: (name: string) => boolean | Promise<boolean>): Promise<void> {
  for (const name of await readdir(os.tmpdir()))
    if (await isRemoved(name)) await rm(path.join(os.tmpdir(), name), { recursive: true, force: true });
}
