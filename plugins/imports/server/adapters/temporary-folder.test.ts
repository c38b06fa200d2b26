import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { removeOldFolders, withJobFolder, withTemporaryFolder } from './temporary-folder.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'walkdown-temporary-test-'));
});
beforeEach(() => vi.stubEnv('TMPDIR', folder));
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

it('removes the folder of a killed attempt of a job before the next attempt', async () => {
  await mkdir(path.join(folder, 'walkdown-import-job-1-killed', 'site'), { recursive: true });
  await mkdir(path.join(folder, 'walkdown-import-job-10-running'));
  const namesDuringWork = await withJobFolder('job-1', async (ownFolder) => [
    path.basename(ownFolder),
    ...(await readdir(folder)),
  ]);
  expect(namesDuringWork.slice(1).toSorted()).toEqual(
    [namesDuringWork[0], 'walkdown-import-job-10-running'].toSorted(),
  );
  expect(await readdir(folder)).toEqual(['walkdown-import-job-10-running']);
});

it('removes old folders of imports, and nothing else', async () => {
  const dayBefore = new Date(Date.now() - 25 * 60 * 60 * 1000);
  for (const name of ['walkdown-import-old', 'other-old']) {
    await mkdir(path.join(folder, name));
    await utimes(path.join(folder, name), dayBefore, dayBefore);
  }
  await removeOldFolders();
  expect((await readdir(folder)).toSorted()).toEqual(['other-old', 'walkdown-import-job-10-running']);
});

it('reports full temporary storage only if all written files are temporary', async () => {
  const full = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
  await expect(withTemporaryFolder(full)).rejects.toMatchObject({ status: 507 });
  await expect(withJobFolder('job-2', full)).rejects.toMatchObject({ code: 'ENOSPC' });
});
