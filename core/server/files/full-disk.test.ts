import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenTransportHeader, type ErrorBody } from '#core';
import { login } from '#core/api';
import {
  fillDisk,
  buildServerProgram,
  getSmallDiskPath,
  describeSmallDiskProblem,
  type RunningServer,
  type ServerProgram,
} from '#core/testing/server';

const plugin = `[enabledPlugin(
  { id: 'keep', title: 'keep.title', access: [], requires: [], bridges: [], settings: {} },
  {},
  {
    migrations: [{ id: 'keep-0001-create-note', up: 'create table note (id int primary key, body text)' }],
    api: (api, context) => {
      const database = toDatabase(context.tables);
      const any = { type: 'object', additionalProperties: true, properties: {} };
      const audience = { kind: 'signedIn' };
      const tiles = function* () {
        for (let index = 0; index < 40; index++) yield { path: index + '.bin', content: new Uint8Array(100_000) };
      };
      context.jobs.register('keep.tile', async () => {
        await context.files.putFolder({ name: 'tiles', mediaType: 'application/octet-stream', audience }, tiles());
        return { result: 'SUCCESS' };
      });
      api.serveUpload(
        { method: 'POST', path: '/api/keep/files', summary: 'Store a file.', access: 'signedIn', reply: any },
        { accept: ['application/octet-stream'], maximumBytes: 50e6 },
        async (call, { files: [file] }) =>
          ({ id: (await context.files.put({ name: 'a', mediaType: file.mediaType, audience }, file.stream())).id }),
      );
      api.serve(
        { method: 'POST', path: '/api/keep/jobs', summary: 'Create tiles.', access: 'signedIn', reply: any },
        async ({ caller }) => ({ id: await context.jobs.start('keep.tile', {}, caller.uid) }),
      );
      api.serve(
        { method: 'POST', path: '/api/keep/notes/:id', summary: 'Store a note.', access: 'signedIn', reply: any,
          params: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } },
        async ({ params }) => {
          const body = "select string_agg(md5(random()::text), '') from generate_series(1, 15000)";
          await database.query('insert into keep.note values ($1, (' + body + '))', [Number(params.id)]);
          return {};
        },
      );
      api.serve(
        { method: 'POST', path: '/api/keep/log', summary: 'Write to the write-ahead log only.', access: 'signedIn',
          reply: any },
        async () => {
          await database.query("select pg_logical_emit_message(true, 'keep', repeat('x', 1000000))");
          return {};
        },
      );
      api.serve(
        { method: 'GET', path: '/api/keep', summary: 'List the files and notes.', access: 'signedIn', reply: any },
        async () => {
          const files = await database.query('select id, state from core.file order by id');
          const notes = await database.query('select id from keep.note order by id');
          return { files, notes: notes.map(({ id }) => id) };
        },
      );
    },
  },
)]`;

interface StoredEntry {
  readonly files: readonly { readonly id: string; readonly state: string }[];
  readonly notes: readonly number[];
}

const problem = describeSmallDiskProblem();
const title = 'a full disk';

describe.skipIf(problem !== undefined)(problem === undefined ? title : `${title} (not run: ${problem})`, () => {
  let program: ServerProgram;
  beforeAll(async () => {
    program = await buildServerProgram({
      imports: "import { toDatabase } from './core/testing/server/to-database.ts';",
      list: plugin,
    });
  });
  afterAll(() => program.remove());

  async function start(reserveMegabytes: number) {
    const folder = await program.createDataFolder();
    const disk = { folder, megabytes: 130 };
    const environment = {
      WALKDOWN_DATA: folder,
      WALKDOWN_DISK_RESERVE_BYTES: String(reserveMegabytes * 1024 * 1024),
      WALKDOWN_FIRST_ADMIN: 'admin@customer.example',
    };
    const server = await program.start(environment, undefined, disk);
    const password = /password: (\S+)/.exec(server.log())?.[1];
    const signedIn = await fetch(server.url + login.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [tokenTransportHeader]: 'json' },
      body: JSON.stringify({ username: 'admin@customer.example', password }),
    });
    const { accessToken } = (await signedIn.json()) as { readonly accessToken: string };
    return {
      server,
      visibleFolder: getSmallDiskPath(server.child, disk),
      headers: { authorization: `Bearer ${accessToken}` },
    };
  }

  async function createCalls(server: RunningServer, headers: Readonly<Record<string, string>>) {
    const call = async (method: string, at: string, body?: FormData) => {
      const answer = await fetch(server.url + at, { method, headers, ...(body ? { body } : {}) });
      return { status: answer.status, body: (await answer.json()) as ErrorBody & { id: string; status: string } };
    };
    return {
      upload: (megabytes: number) => {
        const form = new FormData();
        form.append('file', new Blob([Buffer.alloc(megabytes * 1024 * 1024, 1)]), 'a');
        return call('POST', '/api/keep/files', form);
      },
      addNote: (id: number) => call('POST', `/api/keep/notes/${id}`),
      writeLog: () => call('POST', '/api/keep/log'),
      startJob: () => call('POST', '/api/keep/jobs'),
      readJobStatus: async (id: string) => (await call('GET', `/api/jobs/${id}`)).body.status,
      readReadiness: async () => {
        const { status, body } = await call('GET', '/readyz');
        return [status, body.status];
      },
      listStored: async () => (await call('GET', '/api/keep')).body as unknown as StoredEntry,
    };
  }

  /** All files below the data folder, except those of the database. */
  const listFiles = (folder: string): readonly string[] =>
    ['files', 'uploads'].flatMap((name) =>
      fs.existsSync(path.join(folder, name))
        ? fs
            .readdirSync(path.join(folder, name), { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map((entry) => entry.name)
        : [],
    );

  const diskFullError = { code: 'E010', refusal: { message: 'core.refused.diskFull' } };

  it('refuses files and pauses jobs while only the reserve of the database is free', async () => {
    const { server, visibleFolder, headers } = await start(16);
    const { upload, addNote, startJob, readJobStatus, readReadiness, listStored } = await createCalls(server, headers);
    expect((await upload(1)).status).toBe(200);
    expect(await readReadiness()).toEqual([200, 'ready']);

    const freeDisk = fillDisk(visibleFolder, 8 * 1024 * 1024);
    expect(await readReadiness()).toEqual([503, 'the disk is full']);
    for (const megabytes of [0, 1, 3]) {
      const { status, body } = await upload(megabytes);
      expect([megabytes, status]).toEqual([megabytes, 503]);
      expect(body).toMatchObject(diskFullError);
    }
    expect((await addNote(1)).status).toBe(200);
    const { id } = (await startJob()).body;
    expect((await listStored()).files).toHaveLength(1);
    expect(listFiles(visibleFolder)).toHaveLength(1);
    expect(await readJobStatus(id)).toBe('INPROGRESS');

    freeDisk();
    await expect.poll(() => readJobStatus(id)).toBe('COMPLETED');
    expect(await readReadiness()).toEqual([200, 'ready']);
    expect((await upload(1)).status).toBe(200);
    expect((await listStored()).files.map(({ state }) => state)).toEqual(['stored', 'stored', 'stored']);
    const log = server.log();
    expect(log.match(/The data disk is full/g)).toHaveLength(1);
    expect(log).toContain('The data disk has free space again.');
    expect(log).not.toContain('No space left on device');
    expect(await server.stop()).toBe(0);
  });

  it('answers 503 and loses no acknowledged write on a disk that is full to its last byte', async () => {
    const { server, visibleFolder, headers } = await start(0);
    const { upload, addNote, readReadiness, listStored } = await createCalls(server, headers);
    const storedIds = [(await upload(1)).body.id];
    const storedNotes: number[] = [];
    let next = 0;
    const write = async (count: number): Promise<readonly number[]> => {
      const statuses: number[] = [];
      for (let index = 0; index < count; index++) {
        const id = next++;
        const { status } = await addNote(id);
        statuses.push(status);
        if (status === 200) storedNotes.push(id);
      }
      return statuses;
    };
    expect(await write(2)).toEqual([200, 200]);

    const freeDisk = fillDisk(visibleFolder, 3 * 1024 * 1024);
    const { status, body } = await upload(20);
    expect(status).toBe(503);
    expect(body).toMatchObject(diskFullError);
    expect(listFiles(visibleFolder)).toEqual(storedIds);

    fillDisk(visibleFolder);
    const statuses = await write(60);
    expect(statuses.filter((writeStatus) => writeStatus !== 200 && writeStatus !== 503)).toEqual([]);
    expect(statuses).toContain(503);
    expect(await readReadiness()).toEqual([503, 'the database disk is full']);
    expect((await upload(1)).status).toBe(503);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);

    freeDisk();
    await expect.poll(readReadiness).toEqual([200, 'ready']);
    const secondUpload = await upload(1);
    expect(secondUpload.status).toBe(200);
    storedIds.push(secondUpload.body.id);
    expect(await write(1)).toEqual([200]);
    const { files, notes } = await listStored();
    expect(files.map(({ id, state }) => [id, state])).toEqual([...storedIds].sort().map((id) => [id, 'stored']));
    expect(notes).toEqual(storedNotes);
    expect([...listFiles(visibleFolder)].sort()).toEqual([...storedIds].sort());
    expect(await server.stop()).toBe(0);
  });

  it('reopens the embedded database after its write-ahead log had no space', async () => {
    const { server, visibleFolder, headers } = await start(0);
    const { upload, addNote, writeLog, readReadiness, listStored } = await createCalls(server, headers);
    expect((await addNote(1)).status).toBe(200);
    const freeDisk = fillDisk(visibleFolder);
    const statuses: number[] = [];
    while (!statuses.includes(503) && statuses.length < 100) statuses.push((await writeLog()).status);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    await expect.poll(() => server.log()).toContain('The embedded database stopped and is opened again.');
    expect(await readReadiness()).toEqual([503, 'waiting for the database']);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    freeDisk();
    await expect.poll(readReadiness).toEqual([200, 'ready']);
    expect((await addNote(2)).status).toBe(200);
    expect((await upload(1)).status).toBe(200);
    expect((await listStored()).notes).toEqual([1, 2]);
    expect(await server.stop()).toBe(0);
  });

  it('is reported if the database cannot be created on it', async () => {
    const folder = await program.createDataFolder();
    fs.rmSync(path.join(folder, 'database'), { recursive: true });
    const disk = { folder, megabytes: 20 };
    await expect(program.start({ WALKDOWN_DATA: folder, LOG_LEVEL: 'silent' }, undefined, disk)).rejects.toThrow(
      `The embedded database in ${path.join(folder, 'database')} could not be opened: its disk is full. ` +
        'Free some space, or set WALKDOWN_DATA to a folder on another disk.',
    );
  });
});
