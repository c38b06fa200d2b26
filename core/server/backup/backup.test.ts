import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { describeOnDatabases, openTestDatabase, type DatabaseKind } from '#core/testing/server';
import { startS3Server, type S3Server } from '../../testing/s3-server.ts';
import { migrate, type MigrationOwner } from '../database/migrate.ts';
import type { PoolDatabase } from '../database/pool-database.ts';
import type { BlobStore } from '../files/blob-store.ts';
import { DiskBlobs } from '../files/disk-blobs.ts';
import { fileMigrations } from '../files/file-tables.ts';
import { S3Blobs } from '../files/s3-blobs.ts';
import { StoredFiles } from '../files/stored-files.ts';
import { writeBackup } from './backup.ts';
import { restoreBackup } from './restore.ts';

const log = pino({ level: 'silent' });
const files: MigrationOwner = { id: 'core.files', schema: 'core', prefix: 'files-', migrations: fileMigrations };
/**
 * Covers every column type, forward and self references, generated columns, sequences, a trigger, and rows that a
 * migration inserts.
 */
const shop: MigrationOwner = {
  id: 'shop',
  schema: 'shop',
  prefix: 'shop-',
  migrations: [
    {
      id: 'shop-0001-tables',
      up: `
        create table part (
          id bigint generated always as identity primary key,
          parent bigint references part
        );`,
    },
    {
      id: 'shop-0002-kinds',
      up: `
        create table "Odd ""name"" of é" (
          "a b" text, n numeric(30, 10), f float8, i int, big bigint, yes boolean, at timestamptz,
          plain timestamp, day date, long interval,
          doc jsonb, raw bytea, list text[], grid int[][],
          doubled int generated always as (i * 2) stored, word varchar(5)
        );
        create table a_child (id serial primary key, part bigint not null references part, note text);
        create table note (at timestamptz not null default now(), what text);
        create function count_note() returns trigger language plpgsql as $$
          begin insert into shop.note (what) values ('touched'); return new; end $$;
        create trigger counted after insert on a_child for each row execute function count_note();
        insert into note (what) values ('from a migration');`,
    },
  ],
};
const newerShop: MigrationOwner = {
  ...shop,
  migrations: [
    ...shop.migrations,
    { id: 'shop-0003-colour', up: "alter table part add column colour text not null default 'grey'" },
  ],
};

interface Store {
  readonly blobs: BlobStore;
  list(): Promise<readonly string[]>;
  close(): Promise<void>;
}

async function createDiskStore(): Promise<Store> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'walkdown-backup-files-'));
  return {
    blobs: new DiskBlobs(folder),
    list: async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
        .sort(),
    close: () => rm(folder, { recursive: true }),
  };
}

async function createS3Store(): Promise<Store> {
  const s3: S3Server = await startS3Server();
  const blobs = await S3Blobs.open(s3.config);
  return {
    blobs,
    list: () => s3.list(),
    close: async () => {
      blobs.close();
      await s3.close();
    },
  };
}

async function insertData(database: PoolDatabase, blobs: BlobStore): Promise<void> {
  await database.query('insert into shop.part (parent) select null from generate_series(1, 2500)');
  await database.query('update shop.part set parent = id + 1 where id < 2500');
  await database.query(
    "insert into shop.a_child (part, note) select id, repeat('é\"\\n\\\\ ' || id, 3) from shop.part",
  );
  const odd = 'shop."Odd ""name"" of é"';
  await database.query(
    `insert into ${odd} ("a b", n, f, i, big, yes, at, plain, day, long, doc, raw, list, grid, word) values
    ($1, 12345678901234567890.0123456789, 0.1, -7, 9007199254740993, true, '2026-11-21 05:06:07.123456+02', '2026-01-02 03:04:05', '0044-03-15 BC',
      '1 year 2 days 03:00', 'null', '\\x00ff', array['a', null, 'b,"c'], '{{1,2},{3,4}}', 'abc')`,
    ['line\nbreak "quoted" \\ back \u2028 🛢'],
  );
  await database.query(
    `insert into ${odd} (f, doc, list) values ('NaN', '{"a": [1, 2.50, null]}', '{}'), ('-Infinity', null, null)`,
  );
  const store = new StoredFiles(database, blobs, log);
  await store.put(
    { name: 'large.bin', mediaType: 'application/octet-stream', audience: { kind: 'public' } },
    randomBytes(3_000_000),
  );
  await store.put(
    { name: 'empty', mediaType: 'text/plain', audience: { kind: 'location', location: 'HB' } },
    new Uint8Array(),
  );
  for (const count of [1, 40]) {
    await store.putFolder(
      { name: 'tiles', mediaType: 'application/x-tiles', audience: { kind: 'signedIn' } },
      Array.from({ length: count }, (_, index) => ({
        path: `2/${index}_0-with-a-name-that-is-longer-than-what-an-old-tar-header-holds-${'x'.repeat(90)}.jpg`,
        content: randomBytes(1000),
      })),
    );
  }
  await database.query(
    "insert into core.file (id, name, media_type, audience, folder) values ($1, 'half', 'x', 'public', false)",
    ['e'.repeat(32)],
  );
}

/** All rows as texts, by table. */
async function readRows(database: PoolDatabase): Promise<ReadonlyMap<string, readonly string[]>> {
  const tables = await database.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('core', 'shop') and " +
      "tablename <> 'migration' order by 1",
  );
  const all = new Map<string, readonly string[]>();
  for (const { name } of tables)
    all.set(
      name,
      (await database.query<{ row: string }>(`select t::text as row from ${name} t order by 1`)).map(({ row }) => row),
    );
  return all;
}

async function readBytes(database: PoolDatabase, blobs: BlobStore): Promise<ReadonlyMap<string, string>> {
  const store = new StoredFiles(database, blobs, log);
  const all = new Map<string, string>();
  for (const { id, folder } of await database.query<{ id: string; folder: boolean }>(
    "select id, folder from core.file where state = 'stored' order by id",
  )) {
    if (!folder) all.set(id, (await buffer(await store.read(id))).toString('base64'));
    else
      for (const part of await store.listEntries(id))
        all.set(`${id}/${part.path}`, (await buffer(await store.read(id, undefined, part.path))).toString('base64'));
  }
  return all;
}

describeOnDatabases('a backup', (kind) => {
  let folder: string;
  let archive: string;
  let source: PoolDatabase;
  let store: Store;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'walkdown-backup-'));
    archive = path.join(folder, 'backup.tar.gz');
    source = await openTestDatabase(kind);
    store = await createDiskStore();
    await migrate(source, [files, shop]);
    await insertData(source, store.blobs);
    const summary = await writeBackup(archive, {
      database: source,
      blobs: store.blobs,
    });
    expect(summary).toEqual({ tables: 6, rows: 2500 + 2500 + 2501 + 3 + 5 + 41, files: 43, bytes: 3_041_000 });
  });
  afterAll(async () => {
    await source.close();
    await store.close();
    await rm(folder, { recursive: true });
  });

  async function expectRestored(into: DatabaseKind, openStore: () => Promise<Store>): Promise<void> {
    const target = await openTestDatabase(into);
    const targetStore = await openStore();
    try {
      const context = { database: target, blobs: targetStore.blobs, migrationSources: [files, shop] };
      await restoreBackup(archive, context);
      expect(await readRows(target)).toEqual(await readRows(source));
      expect(await readBytes(target, targetStore.blobs)).toEqual(await readBytes(source, store.blobs));
      expect(await migrate(target, [files, shop])).toEqual([]);
      // Sequences continue, and keys and triggers are enforced again.
      expect(await target.query('insert into shop.part default values returning id')).toEqual([{ id: 2501 }]);
      expect(await target.query('insert into shop.a_child (part) values (1) returning id')).toEqual([{ id: 2501 }]);
      expect((await target.query<{ count: number }>('select count(*) from shop.note'))[0]?.count).toBe(2502);
      await expect(target.query('insert into shop.a_child (part) values (-1)')).rejects.toMatchObject({
        code: '23503',
      });
      await expect(restoreBackup(archive, context)).rejects.toThrow(/not empty.*WALKDOWN_DATA/);
    } finally {
      await target.close();
      await targetStore.close();
    }
  }

  it('restores its rows and files into an empty database and folder', () => expectRestored(kind, createDiskStore));

  it('restores files from disk into an S3-compatible store', () => expectRestored(kind, createS3Store));

  it.skipIf('missing' in inject('postgres'))('restores rows into the other kind of database', () =>
    expectRestored(kind === 'embedded' ? 'postgres' : 'embedded', createDiskStore),
  );

  it('is migrated by a newer version, and refused by an older one', async () => {
    const target = await openTestDatabase(kind);
    const targetStore = await createDiskStore();
    const newer = path.join(folder, 'newer.tar.gz');
    await restoreBackup(archive, { database: target, blobs: targetStore.blobs, migrationSources: [files, newerShop] });
    expect(await migrate(target, [files, newerShop])).toEqual([{ owner: 'shop', id: 'shop-0003-colour' }]);
    expect(await target.query('select colour from shop.part where id = 1')).toEqual([{ colour: 'grey' }]);
    await writeBackup(newer, { database: target, blobs: targetStore.blobs });
    await target.close();
    await targetStore.close();

    const oldDatabase = await openTestDatabase(kind);
    await expect(
      restoreBackup(newer, { database: oldDatabase, blobs: store.blobs, migrationSources: [files, shop] }),
    ).rejects.toThrow(/newer than this code/);
    expect(await readRows(oldDatabase)).toEqual(new Map());
    await oldDatabase.close();
  });

  it('is refused before anything is written if it is truncated or damaged', async () => {
    const archiveBytes = await readFile(archive);
    const tar = gunzipSync(archiveBytes);
    const damagedFile = path.join(folder, 'damaged.tar.gz');
    const target = await openTestDatabase(kind);
    const targetStore = await createDiskStore();
    const expectRefused = async (): Promise<void> => {
      await expect(
        restoreBackup(damagedFile, { database: target, blobs: targetStore.blobs, migrationSources: [files, shop] }),
      ).rejects.toThrow(/damaged, truncated or not a backup: nothing was restored/);
      expect(await readRows(target)).toEqual(new Map());
      expect(await targetStore.list()).toEqual([]);
    };
    for (const fraction of [0, 0.001, 0.3, 0.7, 0.99, 0.99999]) {
      await copyFile(archive, damagedFile);
      await truncate(damagedFile, Math.floor(archiveBytes.length * fraction));
      await expectRefused();
    }
    // The archive is valid gzip, but truncated between two entries or with a changed byte in a file.
    for (const cut of [512 * 20, 512 * 400, tar.length - 512 * 40]) {
      await writeFile(damagedFile, gzipSync(tar.subarray(0, cut), { level: 1 }));
      await expectRefused();
    }
    const flippedBytes = Buffer.from(tar);
    flippedBytes[tar.length - 1_000_000] = (flippedBytes[tar.length - 1_000_000] ?? 0) ^ 1;
    await writeFile(damagedFile, gzipSync(flippedBytes, { level: 1 }));
    await expectRefused();
    await writeFile(damagedFile, 'not an archive');
    await expectRefused();
    await expect(
      restoreBackup(path.join(folder, 'absent'), {
        database: target,
        blobs: targetStore.blobs,
        migrationSources: [files, shop],
      }),
    ).rejects.toThrow(/There is no archive/);
    await target.close();
    await targetStore.close();
  });

  it('leaves no rows and files if its restore fails midway', async () => {
    const target = await openTestDatabase(kind);
    const targetStore = await createDiskStore();
    let writeCount = 0;
    const failingBlobs: BlobStore = Object.assign(Object.create(targetStore.blobs) as BlobStore, {
      writeFolder: () => Promise.reject(new Error('no room')),
      write: (id: string, content: Uint8Array) => {
        writeCount++;
        return targetStore.blobs.write(id, content);
      },
      remove: (id: string) => targetStore.blobs.remove(id),
    });
    await expect(
      restoreBackup(archive, { database: target, blobs: failingBlobs, migrationSources: [files, shop] }),
    ).rejects.toThrow('no room');
    expect(writeCount).toBeLessThan(3);
    expect(await readRows(target)).toEqual(new Map());
    expect(await targetStore.list()).toEqual([]);
    await restoreBackup(archive, { database: target, blobs: targetStore.blobs, migrationSources: [files, shop] });
    expect(await readRows(target)).toEqual(await readRows(source));
    await target.close();
    await targetStore.close();
  });

  it('does not replace an older archive if a file is missing or damaged', async () => {
    const archivePath = path.join(folder, 'older.tar.gz');
    await writeFile(archivePath, 'the older archive');
    const [storedFile] = await source.query<{ id: string }>(
      "select id from core.file where not folder and bytes > 0 and state = 'stored'",
    );
    const id = storedFile?.id ?? '';
    const content = await buffer(await store.blobs.read(id, undefined, undefined));
    await store.blobs.remove(id);
    await expect(writeBackup(archivePath, { database: source, blobs: store.blobs })).rejects.toThrow(
      /was removed while the backup was made, or is missing/,
    );
    await store.blobs.write(id, Buffer.concat([content.subarray(1), Buffer.from('x')]));
    await expect(writeBackup(archivePath, { database: source, blobs: store.blobs })).rejects.toThrow(/is damaged/);
    await store.blobs.remove(id);
    await store.blobs.write(id, content.subarray(5));
    await expect(writeBackup(archivePath, { database: source, blobs: store.blobs })).rejects.toThrow();
    await store.blobs.remove(id);
    await store.blobs.write(id, content);
    expect(await readFile(archivePath, 'utf8')).toBe('the older archive');
    expect((await readdir(folder)).filter((name) => name.includes('unfinished'))).toEqual([]);
    await expect(
      writeBackup(path.join(folder, 'no', 'such', 'folder.tar.gz'), {
        database: source,
        blobs: store.blobs,
      }),
    ).rejects.toThrow(/ENOENT/);
  });
});

describeOnDatabases('a backup of an empty database', (kind) => {
  it('is refused with a readable message', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'walkdown-backup-'));
    const database = await openTestDatabase(kind);
    await expect(
      writeBackup(path.join(folder, 'x.tar.gz'), { database, blobs: new DiskBlobs(folder) }),
    ).rejects.toThrow(/nothing to back up/);
    expect(await readdir(folder)).toEqual([]);
    await database.close();
    await rm(folder, { recursive: true });
  });
});

describe.skipIf('missing' in inject('postgres'))('backup of a PostgreSQL in use', () => {
  it('contains the rows of one moment', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'walkdown-backup-'));
    const source = await openTestDatabase('postgres');
    const store = await createDiskStore();
    await migrate(source, [files, shop]);
    await source.query('insert into shop.part (parent) select null from generate_series(1, 20000)');
    let isWriting = true;
    const writing = (async () => {
      // Each transaction adds a note and its part. Different numbers of both would reveal rows of two moments.
      while (isWriting)
        await source.query(
          'with p as (insert into shop.part default values returning id) insert into shop.note (what) select ' +
            'id::text from p',
        );
    })();
    const archive = path.join(folder, 'backup.tar.gz');
    await writeBackup(archive, { database: source, blobs: store.blobs });
    isWriting = false;
    await writing;
    const target = await openTestDatabase('postgres');
    await restoreBackup(archive, { database: target, blobs: store.blobs, migrationSources: [files, shop] });
    const [counts] = await target.query<{ parts: number; notes: number }>(
      'select (select count(*) from shop.part) as parts, (select count(*) from shop.note) as notes',
    );
    expect((counts?.parts ?? 0) - 20_000).toBe((counts?.notes ?? 0) - 1);
    for (const database of [source, target]) await database.close();
    await store.close();
    await rm(folder, { recursive: true });
  });
});
