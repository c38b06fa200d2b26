import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testProduct } from '#core/testing/server';
import { backupServer, restoreServer } from '../start/start.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'walkdown-archive-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const content = { product: testProduct, plugins: [] };
const getPath = (name: string) => path.join(folder, name);
const environment = () => ({ WALKDOWN_DATA: getPath('data'), LOG_LEVEL: 'silent' });

describe('archive paths', () => {
  it('refuses a backup path that cannot be written, before a database is opened', async () => {
    await writeFile(getPath('file'), '');
    await expect(backupServer(content, folder, environment())).rejects.toThrow(`${folder} is a folder. Name the file`);
    await expect(backupServer(content, getPath('none/a.tar.gz'), environment())).rejects.toThrow(
      `There is no folder ${getPath('none')}. Create it first`,
    );
    await expect(backupServer(content, getPath('file/a.tar.gz'), environment())).rejects.toThrow(`cannot be written. `);
    await expect(backupServer(content, getPath('a.tar.gz'), environment())).rejects.toThrow(
      `There is no database in ${getPath('data')}. Set WALKDOWN_DATA`,
    );
    expect(await readdir(folder)).toEqual(['file']);
  });

  it('refuses to restore a missing archive, and leaves no data folder', async () => {
    await expect(restoreServer(content, getPath('none.tar.gz'), environment())).rejects.toThrow(
      `There is no archive ${getPath('none.tar.gz')}. Nothing was restored`,
    );
    await expect(restoreServer(content, folder, environment())).rejects.toThrow('is a folder, not an archive');
    await writeFile(getPath('text'), 'no archive');
    await expect(restoreServer(content, getPath('text'), environment())).rejects.toThrow(
      'is damaged, truncated or not a backup',
    );
    expect(await readdir(folder)).toEqual(['text']);
  });
});
