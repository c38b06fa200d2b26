import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { token } from '#core';
import { PoolDatabase } from '../database/pool-database.ts';
import type { CorePart } from '../kernel/core-part.ts';
import { writeBackup } from './backup.ts';

/** Backups by the running server, in the folder `backups` of its data folder. */
export interface Backups {
  /**
   * Writes all rows into an archive for `walkdown restore`, and resolves to its name. The archive contains no files:
   * they stay in the store. The latest ten archives are kept.
   */
  backUpDatabase(): Promise<string>;
}
export const Backups = token<Backups>('core.Backups');

const maxArchives = 10;

export const backupPart: CorePart = {
  id: 'backup',
  migrations: [],
  mount(_api, { provide, database, config, clock }) {
    const folder = path.join(config.dataFolder, 'backups');
    provide(Backups, {
      backUpDatabase: async () => {
        if (!(database instanceof PoolDatabase)) throw new Error('This database cannot be backed up.');
        await mkdir(folder, { recursive: true });
        const name = `walkdown-${new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-')}.tar.gz`;
        await writeBackup(path.join(folder, name), { database });
        const archives = (await readdir(folder)).filter((file) => /^walkdown-.*\.tar\.gz$/.test(file)).toSorted();
        for (const archive of archives.slice(0, -maxArchives)) await rm(path.join(folder, archive), { force: true });
        return name;
      },
    });
  },
};
