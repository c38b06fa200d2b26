import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { tokenTransportHeader, type ErrorBody } from '#core';
import { login } from '#core/api';
import {
  fillDisk,
  createTestDatabase,
  buildServerProgram,
  type ServerProgram,
  type TestDatabase,
} from '#core/testing/server';
import { DatabaseFullError } from '../kernel/database-error.ts';
import { openDatabase } from './open-database.ts';
import type { PoolDatabase } from './pool-database.ts';

const postgres = inject('postgres');

const pluginsSource = `[enabledPlugin(
  { id: 'keep', title: 'keep.title', access: [], requires: [], bridges: [], settings: {} },
  {},
  {
    migrations: [{ id: 'keep-0001-create-note', up: 'create table note (id int primary key, body text)' }],
    api: (api, context) => {
      const database = toDatabase(context.tables);
      const any = { type: 'object', additionalProperties: true, properties: {} };
      const params = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
      const audience = { kind: 'signedIn' };
      const summary = 'Used by a test.';
      const access = 'signedIn';
      const addNote = (id, kilobytes) =>
        database.query("insert into keep.note values ($1, (select string_agg(md5(random()::text), '') " +
          'from generate_series(1, $2)))', [id, kilobytes * 32]);
      context.jobs.register('keep.note', async ({ payload }) => {
        await addNote(payload, 1000);
        return { result: 'SUCCESS' };
      });
      api.serve({ method: 'POST', path: '/api/keep/jobs/:id', summary, access, params, reply: any },
        async ({ caller, params }) => ({ id: await context.jobs.start('keep.note', Number(params.id), caller.uid) }));
      api.serve({ method: 'POST', path: '/api/keep/notes/:id', summary, access, params, reply: any },
        async ({ params }) => { await addNote(Number(params.id), 100); return {}; });
      api.serveUpload({ method: 'POST', path: '/api/keep/files', summary, access, reply: any },
        { accept: ['application/octet-stream'], maximumBytes: 1e6 },
        async (call, { files: [file] }) =>
          ({ id: (await context.files.put({ name: 'a', mediaType: file.mediaType, audience }, file.stream())).id }));
      api.serve({ method: 'GET', path: '/api/keep', summary, access, reply: any }, async () => ({
        files: (await database.query('select id from core.file order by id')).map(({ id }) => id),
        notes: (await database.query('select id from keep.note order by id')).map(({ id }) => id),
      }));
    },
  },
)]`;

/** Returns the reason why no PostgreSQL database can be created on its own disk; undefined if it can. */
function findDiskProblem(): string | undefined {
  if ('missing' in postgres) return postgres.missing;
  if (process.getuid?.() !== 0 || process.env['TEST_DATABASE_URL'])
    return 'only root may mount a disk for the PostgreSQL server of the tests';
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'walkdown', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'this account may not mount a file system';
  } finally {
    fs.rmdirSync(folder);
  }
}

const problem = findDiskProblem();
const title = 'a PostgreSQL server whose disk is full';

describe.skipIf(problem !== undefined)(problem === undefined ? title : `${title} (not run: ${problem})`, () => {
  let disk: string;
  let testDatabase: TestDatabase;
  let database: PoolDatabase;
  const tablespace = `walkdown_${process.pid}`;
  const administer = async (...statements: readonly string[]): Promise<void> => {
    const client = new pg.Client({ connectionString: 'url' in postgres ? postgres.url : '' });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };

  beforeAll(async () => {
    disk = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m,mode=0755', 'walkdown', disk]);
    const folder = path.join(disk, 'space');
    fs.mkdirSync(folder);
    execFileSync('chown', ['postgres', folder]);
    testDatabase = await createTestDatabase('postgres');
    if (testDatabase.config.kind !== 'postgres') throw new Error('This is no PostgreSQL database.');
    const name = new URL(testDatabase.config.url.reveal()).pathname.slice(1);
    await administer(
      `create tablespace ${tablespace} location '${folder}'`,
      `alter database ${name} set tablespace ${tablespace}`,
    );
    database = await openDatabase(testDatabase.config, { log: pino({ level: 'silent' }) });
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.remove();
    await administer(`drop tablespace ${tablespace}`);
    execFileSync('umount', [disk]);
    fs.rmdirSync(disk);
  });

  it('reports a full disk until there is space again', async () => {
    await database.query('create table note (id int generated always as identity, body text)');
    const addNote = () => database.query('insert into note (body) values (repeat(md5(random()::text), 250))');
    expect(await database.hasSpace()).toBe(true);
    const freeDisk = fillDisk(disk);
    const fillTable = async (): Promise<void> => {
      for (let count = 0; count < 1000; count++) await addNote();
    };
    await expect(fillTable()).rejects.toBeInstanceOf(DatabaseFullError);
    expect(await database.hasSpace()).toBe(false);
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
    freeDisk();
    expect(await database.hasSpace()).toBe(true);
    await addNote();
  });

  describe('a server on a full disk', () => {
    let program: ServerProgram;
    beforeAll(async () => {
      program = await buildServerProgram({
        imports: "import { toDatabase } from './core/testing/server/to-database.ts';",
        list: pluginsSource,
      });
    });
    afterAll(() => program.remove());

    it('answers 503 to writes, continues to read, and recovers without losing data', async () => {
      const folder = await program.createDataFolder();
      const server = await program.start({
        WALKDOWN_DATA: folder,
        WALKDOWN_REQUESTS_PER_MINUTE: '0',
        WALKDOWN_DISK_RESERVE_BYTES: '0',
        WALKDOWN_JOB_LEASE_MS: '1000',
        WALKDOWN_FIRST_ADMIN: 'admin@customer.example',
        DATABASE_URL: testDatabase.config.kind === 'postgres' ? testDatabase.config.url.reveal() : '',
      });
      const password = /password: (\S+)/.exec(server.log())?.[1] ?? '';
      const send = async (method: string, address: string, init: RequestInit = {}) => {
        const answer = await fetch(server.url + address, { method, ...init });
        if (answer.status === 500)
          throw new Error(`${method} ${address} answered 500. Log: ${server.log().slice(-4000)}`);
        return { status: answer.status, body: (await answer.json()) as ErrorBody & Record<string, unknown> };
      };
      const signIn = () =>
        send('POST', login.path, {
          headers: { 'content-type': 'application/json', [tokenTransportHeader]: 'json' },
          body: JSON.stringify({ username: 'admin@customer.example', password }),
        });
      const headers = { authorization: `Bearer ${String((await signIn()).body['accessToken'])}` };
      const call = (method: string, address: string, body?: FormData) =>
        send(method, address, { headers, ...(body ? { body } : {}) });
      const upload = () => {
        const form = new FormData();
        form.append('file', new Blob([Buffer.alloc(20_000, 1)]), 'a');
        return call('POST', '/api/keep/files', form);
      };
      const readReadiness = async () => {
        const { status, body } = await send('GET', '/readyz');
        return [status, body['status']];
      };
      const diskFullError = { status: 503, body: { code: 'E010', refusal: { message: 'core.refused.diskFull' } } };
      /** Writes until a reply is not 200, and returns this reply. */
      const writeUntilRefused = async (write: (index: number) => Promise<Awaited<ReturnType<typeof send>>>) => {
        for (let index = 0; index < 1000; index++) {
          const answer = await write(index);
          if (answer.status !== 200) return answer;
        }
        throw new Error('A thousand writes found room on a full disk.');
      };
      const notes: number[] = [];
      const addNote = async (id: number) => {
        const answer = await call('POST', `/api/keep/notes/${id}`);
        if (answer.status === 200) notes.push(id);
        return answer;
      };
      const storedFiles: unknown[] = [];
      const storeFile = async () => {
        const answer = await upload();
        if (answer.status === 200) storedFiles.push(answer.body['id']);
        return answer;
      };
      const listFiles = () =>
        ['files', 'uploads'].flatMap((name) =>
          fs.existsSync(path.join(folder, name))
            ? fs
                .readdirSync(path.join(folder, name), { recursive: true, withFileTypes: true })
                .filter((entry) => entry.isFile())
                .map((entry) => entry.name)
            : [],
        );
      const startJob = async (id: number) => String((await call('POST', `/api/keep/jobs/${id}`)).body['id']);
      const readStatus = async (job: string) => (await call('GET', `/api/jobs/${job}`)).body['status'];
      expect(await readReadiness()).toEqual([200, 'ready']);
      expect((await addNote(1)).status).toBe(200);
      expect((await storeFile()).status).toBe(200);
      const firstJob = await startJob(0);
      await expect.poll(() => readStatus(firstJob)).toBe('COMPLETED');

      const freeDisk = fillDisk(disk);
      const waitingJob = await startJob(5000);
      expect(await writeUntilRefused((index) => addNote(index + 2))).toMatchObject(diskFullError);
      expect(await writeUntilRefused(storeFile)).toMatchObject(diskFullError);
      expect(await writeUntilRefused(signIn)).toMatchObject(diskFullError);
      expect(await readReadiness()).toEqual([503, 'the database disk is full']);
      expect((await send('GET', '/healthz')).status).toBe(200);
      expect((await call('GET', '/api/keep')).body['notes']).toEqual([0, ...notes]);
      expect(await readStatus(waitingJob)).toBe('INPROGRESS');

      freeDisk();
      expect((await addNote(2000)).status).toBe(200);
      expect((await storeFile()).status).toBe(200);
      expect((await signIn()).status).toBe(200);
      await expect.poll(readReadiness).toEqual([200, 'ready']);
      await expect.poll(() => readStatus(waitingJob)).toBe('COMPLETED');
      expect((await call('GET', '/api/keep')).body).toEqual({
        notes: [0, ...notes, 5000],
        files: [...storedFiles].sort(),
      });
      expect([...listFiles()].sort()).toEqual([...storedFiles].sort());
      expect(await server.stop()).toBe(0);
    });
  });
});
