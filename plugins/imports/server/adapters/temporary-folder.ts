import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { writeTemporaryFiles } from '#core/server';

/** Runs work with a folder of its own, which is removed afterwards. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  return writeTemporaryFiles(async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'walkdown-import-'));
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}
