import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startS3Server } from '../../testing/s3-server.ts';
import { describeOnDatabases, openTestDatabase } from '#core/testing/server';
import { migrate } from '../database/migrate.ts';
import type { PoolDatabase } from '../database/pool-database.ts';
import type { BlobStore } from './blob-store.ts';
import { DiskBlobs } from './disk-blobs.ts';
import type { NewFile } from './file-store.ts';
import { fileMigrations, type FileTables } from './file-tables.ts';
import { S3Blobs } from './s3-blobs.ts';
import { StoredFiles } from './stored-files.ts';

const photo: NewFile = {
  name: 'Pump P-101.jpg',
  mediaType: 'image/jpeg',
  audience: { kind: 'location', location: 'HB' },
};
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const unknownId = '0'.repeat(32);

interface Store {
  readonly blobs: BlobStore;
  /** All blobs, with or without a row. */
  list(): Promise<readonly string[]>;
  close(): Promise<void>;
}

async function openDiskStore(): Promise<Store> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'walkdown-files-'));
  const list = async (): Promise<readonly string[]> =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  return { blobs: new DiskBlobs(folder), list, close: () => rm(folder, { recursive: true }) };
}

async function openS3Store(): Promise<Store> {
  const s3 = await startS3Server();
  const blobs = await S3Blobs.open(s3.config);
  const close = async (): Promise<void> => {
    blobs.close();
    await s3.close();
  };
  return { blobs, list: () => s3.list(), close };
}

describeOnDatabases('StoredFiles', (kind) => {
  let database: PoolDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
    await migrate(database, [{ id: 'core.files', schema: 'core', prefix: 'files-', migrations: fileMigrations }]);
  });
  afterAll(() => database.close());
  const listRows = async (): Promise<readonly string[]> =>
    (await database.of<FileTables>('core').selectFrom('file').select('id').execute()).map(({ id }) => id);

  describe.each([
    ['a folder on disk', openDiskStore],
    ['an S3-compatible store', openS3Store],
  ] as const)('a file store on %s', (_, open) => {
    let store: Store;
    let files: StoredFiles;
    beforeAll(async () => {
      store = await open();
      await store.blobs.check();
      files = new StoredFiles(database, store.blobs, pino({ level: 'silent' }));
    });
    afterAll(() => store.close());

    it('returns the stored bytes of a buffer and of a stream, whole and in ranges', async () => {
      const bytes = randomBytes(300_000);
      for (const content of [bytes, Readable.from([bytes.subarray(0, 7), bytes.subarray(7)])]) {
        const put = await files.put(photo, content);
        expect(put).toEqual({
          ...photo,
          id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
          bytes: bytes.length,
          sha256: sha256(bytes),
          folder: false,
        });
        expect(await files.find(put.id)).toEqual(put);
        expect((await buffer(await files.read(put.id))).equals(bytes)).toBe(true);
        expect((await buffer(await files.read(put.id, { start: 5, end: 9 }))).equals(bytes.subarray(5, 10))).toBe(true);
        expect(
          (await buffer(await files.read(put.id, { start: bytes.length - 3, end: bytes.length - 1 }))).equals(
            bytes.subarray(-3),
          ),
        ).toBe(true);
      }
    });

    it('stores a stream that is larger than one part of a multipart upload', async () => {
      const bytes = randomBytes(20_000_000);
      const put = await files.put(
        { ...photo, audience: { kind: 'public' } },
        Readable.from(Array.from({ length: 20 }, (__, index) => bytes.subarray(index * 1e6, (index + 1) * 1e6))),
      );
      expect(put.sha256).toBe(sha256(bytes));
      expect(sha256(await buffer(await files.read(put.id)))).toBe(put.sha256);
      await files.remove(put.id);
    });

    it('finds many files at once, and omits unknown and unfinished ones', async () => {
      const put = [await files.put(photo, Buffer.of(1)), await files.put(photo, Buffer.of(2))];
      const [first, second] = put.map(({ id }) => id) as [string, string];
      const unfinishedFile = await files.put(photo, Buffer.of(3));
      const tables = database.of<FileTables>('core');
      await tables.updateTable('file').set({ state: 'writing' }).where('id', '=', unfinishedFile.id).execute();
      const filesById = await files.findAll([second, unknownId, first, unfinishedFile.id, first]);
      await tables.deleteFrom('file').where('id', '=', unfinishedFile.id).execute();
      expect(new Map([...filesById].sort())).toEqual(new Map(put.map((file) => [file.id, file] as const).sort()));
      expect(await files.findAll([])).toEqual(new Map());
    });

    it('stores an empty file', async () => {
      const put = await files.put(photo, new Uint8Array());
      expect(put.bytes).toBe(0);
      expect((await buffer(await files.read(put.id))).length).toBe(0);
    });

    it('stores a folder of many entries under one id', async () => {
      const entries = Array.from({ length: 60 }, (__, index) => ({
        path: `2/${index}_0.jpg`,
        content: randomBytes(500 + index),
      }));
      const put = await files.putFolder({ ...photo, audience: { kind: 'signedIn' } }, entries);
      expect(put).toMatchObject({ folder: true, bytes: entries.reduce((sum, { content }) => sum + content.length, 0) });
      const parts = await files.listEntries(put.id);
      expect(parts.map((part) => part.path)).toEqual(entries.map((entry) => entry.path).sort());
      expect(put.sha256).toBe(sha256(Buffer.from(parts.map((part) => `${part.path} ${part.sha256}\n`).join(''))));
      for (const { path: part, content } of entries.slice(0, 5)) {
        expect(await files.findEntry(put.id, part)).toEqual({
          path: part,
          bytes: content.length,
          sha256: sha256(content),
        });
        expect(
          (await buffer(await files.read(put.id, { start: 1, end: 3 }, part))).equals(content.subarray(1, 4)),
        ).toBe(true);
      }
      expect(await files.findEntry(put.id, '2/60_0.jpg')).toBeUndefined();
      await files.remove(put.id);
      expect(await files.listEntries(put.id)).toEqual([]);
    });

    it('answers 404 for a missing file, a folder without an entry, and an entry of a file', async () => {
      const file = await files.put(photo, Buffer.from('x'));
      const folder = await files.putFolder(photo, [{ path: 'a', content: Buffer.from('x') }]);
      for (const [id, part] of [
        [unknownId, undefined],
        [folder.id, undefined],
        [folder.id, 'b'],
        [file.id, 'a'],
      ] as const) {
        await expect(files.read(id, undefined, part)).rejects.toMatchObject({ status: 404 });
      }
    });

    it('removes a file with all its bytes', async () => {
      const before = await store.list();
      const file = await files.put(photo, Buffer.from('gone'));
      const folder = await files.putFolder(photo, [
        { path: 'a/b', content: Buffer.from('x') },
        { path: 'c', content: Buffer.from('y') },
      ]);
      await files.remove(file.id);
      await files.remove(folder.id);
      await files.remove(unknownId);
      expect(await files.find(file.id)).toBeUndefined();
      await expect(files.read(file.id)).rejects.toMatchObject({ status: 404 });
      expect(await store.list()).toEqual(before);
      expect(await listRows()).not.toContain(file.id);
    });

    it('stores nothing if the content fails midway', async () => {
      const [before, rowsBefore] = [await store.list(), await listRows()];
      async function* failing(): AsyncGenerator<Buffer> {
        yield randomBytes(100_000);
        throw new Error('the camera was unplugged');
      }
      await expect(files.put(photo, Readable.from(failing()))).rejects.toThrow('unplugged');
      async function* failingFolder(): AsyncGenerator<{ path: string; content: Buffer }> {
        for (let index = 0; index < 20; index++) yield { path: `${index}`, content: randomBytes(100) };
        throw new Error('the picture was cut short');
      }
      await expect(files.putFolder(photo, failingFolder())).rejects.toThrow('cut short');
      expect(await store.list()).toEqual(before);
      expect(await listRows()).toEqual(rowsBefore);
    });

    it.each(['../x', '/x', 'a/../../x', 'a//b', '', '.hidden', 'a/.b', 'a\\b', 'a%2fb', 'é', 'a'.repeat(201)])(
      'refuses the entry %j, and stores nothing of the folder',
      async (invalidPath) => {
        const before = await store.list();
        await expect(
          files.putFolder(photo, [
            { path: 'good', content: Buffer.from('x') },
            { path: invalidPath, content: Buffer.from('x') },
          ]),
        ).rejects.toThrow(/cannot name an entry/);
        expect(await store.list()).toEqual(before);
      },
    );

    it('refuses an entry that is a duplicate, or both a file and a folder', async () => {
      const folder = (...paths: string[]): Promise<unknown> =>
        files.putFolder(
          photo,
          paths.map((name) => ({ path: name, content: Buffer.from(name) })),
        );
      await expect(folder('a', 'a')).rejects.toThrow(/twice/);
      await expect(folder('a/b', 'a')).rejects.toThrow(/twice/);
      await expect(folder('a', 'a/b')).rejects.toThrow(/which is a file/);
    });

    it('removes unfinished files of a killed process, and keeps a file that another process is writing', async () => {
      const before = await store.list();
      const interruptedIds = ['a', 'b'].map((digit) => digit.repeat(32));
      for (const [index, id] of interruptedIds.entries()) {
        await database.query(
          "insert into core.file (id, name, media_type, audience, folder, state, touched_at) values ($1, 'x', 'x', " +
            "'public', $2, $3, now() - interval '1 hour')",
          [id, index === 1, index === 0 ? 'removed' : 'writing'],
        );
      }
      await store.blobs.write(interruptedIds[0] ?? '', Buffer.from('left'));
      await store.blobs.writeFolder(interruptedIds[1] ?? '', [{ path: 'p/q', content: Buffer.from('left') }]);
      const writing = 'c'.repeat(32);
      await database.query(
        `insert into core.file (id, name, media_type, audience, folder) values ($1, 'x', 'x', 'public', false)`,
        [writing],
      );
      await store.blobs.write(writing, Buffer.from('arriving'));

      expect(await files.cleanUp(false)).toBe(2);
      expect((await listRows()).filter((id) => [...interruptedIds, writing].includes(id))).toEqual([writing]);
      expect(await files.cleanUp(true)).toBe(1);
      expect(await store.list()).toEqual(before);
    });

    it('does not publish a file that the cleanup removed during its write', async () => {
      const before = await store.list();
      async function* slow(): AsyncGenerator<Buffer> {
        yield randomBytes(1000);
        await files.cleanUp(true);
        yield randomBytes(1000);
      }
      await expect(files.put(photo, Readable.from(slow()))).rejects.toThrow(/heartbeat|no such file/);
      expect(await store.list()).toEqual(before);
    });
  });
});
