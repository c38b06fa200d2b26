import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  describeOnDatabases,
  createRestartableServer,
  soakCount,
  type RestartableServer,
  type RunningServer,
} from '#core/testing/server';
import type { PoolDatabase } from '../database/pool-database.ts';
import { DiskBlobs } from '../files/disk-blobs.ts';
import { StoredFiles } from '../files/stored-files.ts';

const steps = soakCount(80, 200);
const kills = soakCount(3, 50);

/**
 * A job whose steps each store a file (every third a folder), and then save a row and the cursor in one transaction.
 */
const plugin = `[enabledPlugin(
  { id: 'kills', title: 'kills.title', access: [], requires: [], bridges: [], settings: {} },
  {},
  {
  migrations: [{
    id: 'kills-0001-steps',
    up: 'create table step (n int not null, file text not null); create table run (began_at int not null)',
  }],
  api: (api, { tables, files, jobs }) => {
    const file = { name: 'step.bin', mediaType: 'application/octet-stream', audience: { kind: 'public' } };
    jobs.register('kills.steps', async ({ payload, cursor, progress }) => {
      await tables.insertInto('run').values({ began_at: cursor ?? 0 }).execute();
      for (let n = (cursor ?? 0) + 1; n <= payload; n++) {
        const content = Buffer.alloc(20_000, n);
        const parts = [1, 2, 3].map((part) => ({ path: part + '/x', content }));
        const put = n % 3 === 0 ? await files.putFolder(file, parts) : await files.put(file, content);
        if (n % 10 === 0) await files.remove((await files.put(file, content)).id);
        await tables.transaction().execute(async (transaction) => {
          await transaction.insertInto('step').values({ n, file: put.id }).execute();
          await progress({ done: n, total: payload, cursor: n }, transaction);
        });
      }
      return { result: 'SUCCESS' };
    });
    const text = { type: 'string' };
    const reply = { type: 'object', properties: { id: text, status: text, done: { type: 'number' } } };
    const query = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
    const start = { method: 'POST', path: '/api/kills', summary: 'Start the job.', access: 'public', reply };
    api.serve(start, async () => ({ id: await jobs.start('kills.steps', ${steps}, null) }));
    const find = { method: 'GET', path: '/api/kills', summary: 'Find the job.', access: 'public', query, reply };
    api.serve(find, ({ query }) => jobs.find(query.id));
  },
})]`;

describeOnDatabases('kill -9', (kind) => {
  let program: RestartableServer;
  beforeAll(async () => {
    program = await createRestartableServer(kind, { imports: '', list: plugin }, { WALKDOWN_JOB_LEASE_MS: '500' });
  });
  afterAll(() => program.remove());

  const readJob = async (
    server: RunningServer,
    id: string,
  ): Promise<{ readonly status: string; readonly done: number }> => {
    const response = await fetch(`${server.url}/api/kills?id=${id}`);
    const text = await response.text();
    // On a busy machine the server may answer 503 just after its start.
    if (response.status === 503) return pause(50).then(() => readJob(server, id));
    if (response.status !== 200) throw new Error(`The server answered ${response.status}: ${text}`);
    return JSON.parse(text) as { readonly status: string; readonly done: number };
  };

  it(
    `neither loses nor repeats a step of a job that is killed at ${kills} random moments, and leaves no partial file`,
    { timeout: soakCount(240_000, 2_400_000) },
    async () => {
      let server = await program.start();
      const { id } = (await (await fetch(`${server.url}/api/kills`, { method: 'POST' })).json()) as {
        readonly id: string;
      };
      for (let killCount = 0; killCount < kills; killCount++) {
        const before = (await readJob(server, id)).done;
        await expect
          .poll(async () => (await readJob(server, id)).done, { interval: 10 })
          .toBeGreaterThan(Math.min(before, steps - 1));
        await pause(Math.random() * 100);
        await server.kill();
        server = await program.start();
      }
      await expect
        .poll(() => readJob(server, id), { timeout: soakCount(120_000, 600_000), interval: 100 })
        .toMatchObject({ status: 'COMPLETED', done: steps });
      expect(await server.stop()).toBe(0);

      const database = await program.openDatabase();
      try {
        const rows = await database.query<{ n: number; file: string }>('select n, file from kills.step order by n');
        expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: steps }, (_, index) => index + 1));
        const runs = await database.query<{ began_at: number }>('select began_at from kills.run');
        expect(runs.length).toBeGreaterThan(1);
        expect(runs.some(({ began_at: beganAt }) => beganAt > 0)).toBe(true);
        await expectWholeFiles(database, path.join(program.data, 'files'), rows);
      } finally {
        await database.close();
      }
      await rm(program.data, { recursive: true });
    },
  );
});

/**
 * Expects that each row's file exists with its bytes, and that there are no files without a row. A kill between storing
 * a file and saving its step leaves a file with a row of its own.
 */
async function expectWholeFiles(
  database: PoolDatabase,
  folder: string,
  rows: readonly { readonly n: number; readonly file: string }[],
): Promise<void> {
  const files = new StoredFiles(database, new DiskBlobs(folder), pino({ level: 'silent' }));
  for (const { n, file } of rows) {
    for (const part of n % 3 === 0 ? ['1/x', '2/x', '3/x'] : [undefined])
      expect((await buffer(await files.read(file, undefined, part))).equals(Buffer.alloc(20_000, n))).toBe(true);
  }
  await files.cleanUp(true);
  const storedRows = await database.query<{ id: string; folder: boolean; sha256: string }>(
    'select id, folder, sha256 from core.file',
  );
  const expected: string[] = [];
  for (const { id, folder: isFolder, sha256 } of storedRows) {
    const storedPath = path.join(id.slice(0, 2), id);
    if (isFolder) for (const part of await files.listEntries(id)) expected.push(path.join(storedPath, part.path));
    else {
      expected.push(storedPath);
      expect(
        createHash('sha256')
          .update(await buffer(await files.read(id)))
          .digest('hex'),
      ).toBe(sha256);
    }
  }
  const storedFiles = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  expect(storedFiles.sort()).toEqual(expected.sort());
}
