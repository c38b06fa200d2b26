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
const at = (name: string) => path.join(folder, name);
const environment = () => ({ WALKDOWN_DATA: at('data'), LOG_LEVEL: 'silent' });

describe('archive paths', () => {
  it('refuses a backup path that cannot be written, before a database is opened', async () => {
    await writeFile(at('file'), '');
    await expect(backupServer(content, folder, environment())).rejects.toThrow(`${folder} is a folder. Name the file`);
    await expect(backupServer(content, at('none/a.tar.gz'), environment())).rejects.toThrow(
      `There is no folder ${at('none')}. Make it first`,
    );
    await expect(backupServer(content, at('file/a.tar.gz'), environment())).rejects.toThrow(`cannot be written. `);
    await expect(backupServer(content, at('a.tar.gz'), environment())).rejects.toThrow(
      `There is no database in ${at('data')}: there is nothing to back up. Set WALKDOWN_DATA`,
    );
    expect(await readdir(folder)).toEqual(['file']);
  });

  it('refuses to restore a missing archive, and leaves no data folder', async () => {
    await expect(restoreServer(content, at('none.tar.gz'), environment())).rejects.toThrow(
      `There is no archive ${at('none.tar.gz')}. Nothing was restored`,
    );
    await expect(restoreServer(content, folder, environment())).rejects.toThrow('is a folder, not an archive');
    await writeFile(at('text'), 'no archive');
    await expect(restoreServer(content, at('text'), environment())).rejects.toThrow(
      'is damaged, was cut short or is no backup',
    );
    expect(await readdir(folder)).toEqual(['text']);
  });
});
