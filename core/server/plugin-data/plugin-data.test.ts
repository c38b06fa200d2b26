import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnDatabases, openTestDatabase } from '#core/testing/server';
import { writeBackup } from '../backup/backup.ts';
import { restoreBackup } from '../backup/restore.ts';
import { coreParts } from '../core-parts.ts';
import { migrate, type MigrationOwner } from '../database/migrate.ts';
import type { PoolDatabase } from '../database/pool-database.ts';
import { DiskBlobs } from '../files/disk-blobs.ts';
import { StoredFiles } from '../files/stored-files.ts';
import { listMigrationOwners } from '../start/server.ts';
import { dropPluginData } from './drop-plugin-data.ts';
import { describeUnusedData, findUnusedData } from './unused-data.ts';

const log = pino({ level: 'silent' });
const buildOwner = (id: string, ...up: readonly string[]): MigrationOwner => ({
  id,
  schema: id.replaceAll('-', '_'),
  prefix: `${id}-`,
  migrations: up.map((sql, index) => ({ id: `${id}-000${index + 1}-step`, up: sql })),
});
const core = listMigrationOwners(coreParts, []);
const notes = buildOwner('notes', 'create table note (text text)');
const shop = buildOwner(
  'shop',
  'create table item (id int primary key, picture text, more jsonb)',
  "alter table item add column colour text default 'grey'",
);
/** Sorts before `shop` by name, and after it by migrations. */
const giftBox = buildOwner('gift-box', 'create table box (item int references shop.item)');
const allOwners = [...core, notes, shop, giftBox];
const ownersWithoutPlugins = [...core, notes];

describeOnDatabases('data of a removed plugin', (kind) => {
  let folder: string;
  let database: PoolDatabase;
  let blobs: DiskBlobs;
  const ids: Record<'own' | 'nested' | 'waiting' | 'shared' | 'within' | 'other', string> = {
    own: '',
    nested: '',
    waiting: '',
    shared: '',
    within: '',
    other: '',
  };
  const listStoredFiles = async () =>
    (await database.query<{ id: string }>('select id from core.file order by id')).map(({ id }) => id);
  const drop = (plugin: string, answer = true) =>
    dropPluginData(plugin, { database, blobs, migrationSources: ownersWithoutPlugins, log }, async () => answer);

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'walkdown-plugin-data-'));
    database = await openTestDatabase(kind);
    blobs = new DiskBlobs(path.join(folder, 'files'));
    await migrate(database, allOwners);
    const files = new StoredFiles(database, blobs, log);
    for (const name of Object.keys(ids) as (keyof typeof ids)[])
      ids[name] = (
        await files.put({ name, mediaType: 'text/plain', audience: { kind: 'signedIn' } }, Buffer.from(name))
      ).id;
    await database.query('insert into shop.item values (1, $1, $2), (2, $3, null), (3, null, $4)', [
      ids.own,
      JSON.stringify({ deep: [{ address: `/api/files/${ids.nested}/0.jpg` }] }),
      ids.shared,
      JSON.stringify({ unknown: 'f'.repeat(32), within: ids.within }),
    ]);
    await database.query('insert into gift_box.box values (1)');
    await database.query("insert into notes.note values ('see ' || $1), ('note_' || $2 || '_1')", [
      ids.shared,
      ids.within,
    ]);
    await database.query(
      "insert into core.job (id, kind, payload) values ('a', 'shop.import', $1), ('b', 'shopping.import', $2)",
      [JSON.stringify({ file: ids.waiting }), JSON.stringify({ file: ids.other })],
    );
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  it('is reported with its tables and the remedy', async () => {
    const unusedData = await findUnusedData(database, ownersWithoutPlugins);
    expect(unusedData).toEqual([
      { plugin: 'gift-box', tables: 1, bytes: expect.any(Number) as number },
      { plugin: 'shop', tables: 1, bytes: expect.any(Number) as number },
    ]);
    expect(unusedData.map(describeUnusedData)[1]).toMatch(
      /^The database holds data of "shop", which this product does not have \(tables: 1, .*walkdown drop shop\.$/,
    );
    expect(await findUnusedData(database, allOwners)).toEqual([]);
  });

  it('is part of a backup, and is restored by a product without the plugin', async () => {
    const archive = path.join(folder, 'backup.tar.gz');
    await writeBackup(archive, { database, blobs });
    const target = await openTestDatabase(kind);
    const targetBlobs = new DiskBlobs(path.join(folder, 'restored'));
    await restoreBackup(archive, { database: target, blobs: targetBlobs, migrationSources: ownersWithoutPlugins });
    for (const table of ['shop.item', 'gift_box.box', 'notes.note'])
      expect(await target.query(`select * from ${table}`)).toEqual(await database.query(`select * from ${table}`));
    await expect(target.query('insert into gift_box.box values (9)')).rejects.toMatchObject({ code: '23503' });

    // A backup of the restored database is complete too, and a product with the plugin continues to use it.
    const second = path.join(folder, 'second.tar.gz');
    await writeBackup(second, { database: target, blobs: targetBlobs });
    await target.close();
    const thirdDatabase = await openTestDatabase(kind);
    await restoreBackup(second, {
      database: thirdDatabase,
      blobs: new DiskBlobs(path.join(folder, 'third')),
      migrationSources: allOwners,
    });
    expect(await migrate(thirdDatabase, allOwners)).toEqual([]);
    expect(await thirdDatabase.query('select id, colour from shop.item where id = 1')).toEqual([
      { id: 1, colour: 'grey' },
    ]);
    await thirdDatabase.close();
  });

  it('is restored from a backup of an older database by a product with the plugin', async () => {
    const archive = path.join(folder, 'older.tar.gz');
    await database.query('alter table core.migration drop column up');
    await writeBackup(archive, { database, blobs });
    const target = await openTestDatabase(kind);
    await expect(
      restoreBackup(archive, {
        database: target,
        blobs: new DiskBlobs(path.join(folder, 'x')),
        migrationSources: ownersWithoutPlugins,
      }),
    ).rejects.toThrow(/"shop", which this profile does not have, and its SQL is not in the backup/);
    await restoreBackup(archive, {
      database: target,
      blobs: new DiskBlobs(path.join(folder, 'older')),
      migrationSources: allOwners,
    });
    expect(await target.query('select count(*)::int as count from shop.item')).toEqual([{ count: 3 }]);
    await target.close();
    expect(await migrate(database, allOwners)).toEqual([]);
    expect(await database.query('select id from core.migration where up is null')).toEqual([]);
  });

  it('is not dropped if it is in use, unknown or referred to', async () => {
    await expect(drop('notes')).rejects.toThrow(/This product has "notes".*Take the plugin out of the profile/);
    await expect(drop('shoop')).rejects.toThrow(
      /holds no data of "shoop"\. Plugins with unused data: gift-box, shop\./,
    );
    await expect(drop('core.files')).rejects.toThrow();
    await expect(drop('shop')).rejects.toThrow(/Tables of "gift-box" refer to those of "shop"\. Drop their data first/);
  });

  it('is dropped after confirmation, with its jobs and the files that only the plugin uses', async () => {
    expect(await drop('gift-box', false)).toBeUndefined();
    expect(await database.query('select item from gift_box.box')).toEqual([{ item: 1 }]);
    expect(await drop('gift-box')).toEqual({ plugin: 'gift-box', tables: 1, rows: 1, files: 0, bytes: 0 });
    expect(await listStoredFiles()).toHaveLength(6);

    expect(await drop('shop')).toEqual({
      plugin: 'shop',
      tables: 1,
      rows: 3,
      files: 3,
      bytes: 'own'.length + 'nested'.length + 'waiting'.length,
    });
    expect(await listStoredFiles()).toEqual([ids.shared, ids.within, ids.other].sort());
    const remainingFiles = await readdir(path.join(folder, 'files'), { recursive: true });
    for (const name of ['own', 'nested', 'waiting'] as const)
      expect(remainingFiles.filter((file) => file.includes(ids[name]))).toEqual([]);
    expect(await database.query('select id from core.job')).toEqual([{ id: 'b' }]);
    expect(await findUnusedData(database, ownersWithoutPlugins)).toEqual([]);
    expect(await database.query("select subject from core.audit_log where action = 'core.pluginDataDropped'")).toEqual([
      { subject: 'gift-box' },
      { subject: 'shop' },
    ]);
    expect((await migrate(database, allOwners)).map(({ owner: id }) => id)).toEqual(['shop', 'shop', 'gift-box']);
  });
});
