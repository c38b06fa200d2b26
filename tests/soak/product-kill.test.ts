import { createHash, randomBytes, randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  describeOnDatabases,
  createRestartableServer,
  buildServerProgram,
  soakCount,
  type RestartableServer,
  type RunningServer,
  type ServerProgram,
} from '#core/testing/server';
import type { PoolDatabase } from '../../core/server/database/pool-database.ts';
import { DiskBlobs } from '../../core/server/files/disk-blobs.ts';
import { StoredFiles } from '../../core/server/files/stored-files.ts';

const killCount = soakCount(2, 50);
const raceCount = soakCount(2, 20);
const log = pino({ level: 'silent' });

interface Session {
  readonly username: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Changes that the servers have acknowledged so far. */
interface Acknowledged {
  session: Session;
  readonly uploads: Map<string, string>;
  readonly nodes: Set<string>;
  /** The last acknowledged name, and the name that was sent last. */
  name: { saved: string; pending: string };
  /** Called on each acknowledgement with the kind of work. */
  onDone: (work: Work) => void;
}
type Work = 'renewal' | 'name' | 'upload' | 'node';

const programParts = {
  imports: `
    import tourManifest from './plugins/tour/plugin.ts';
    import tour from './plugins/tour/server/index.ts';
    import { soakPlugin } from './tests/soak/soak-plugin.ts';
  `,
  list: '[enabledPlugin(tourManifest, {}, tour), soakPlugin]',
};

async function send<T>(server: RunningServer, method: string, url: string, body: unknown, token?: string): Promise<T> {
  const form = body instanceof FormData;
  const headers = {
    'x-token-transport': 'json',
    ...(form || body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const answer = await fetch(server.url + url, {
    method,
    headers,
    ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new ErrorResponse(`${method} ${url} was answered with ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}
/** The server sent an error response. Other errors mean that the kill broke the connection. */
class ErrorResponse extends Error {}

const renew = (server: RunningServer, { username, refreshToken }: Session): Promise<Session> =>
  send(server, 'POST', '/auth/pub/user/token/renew', { username, refreshToken });

/** Repeats `work` until the server was killed. Throws for every error response. */
async function untilKilled(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await work();
    } catch (error) {
      if (error instanceof ErrorResponse) throw error;
      return;
    }
  }
}

describeOnDatabases('repeatedly killed product', (kind) => {
  let program: RestartableServer;
  beforeAll(async () => {
    program = await createRestartableServer(kind, programParts, {
      WALKDOWN_REQUESTS_PER_MINUTE: '0',
      WALKDOWN_METRICS: 'open',
      WALKDOWN_JOB_LEASE_MS: '1000',
      // The next server repeats a renewal whose response was lost by the kill, however long its start takes.
      WALKDOWN_REFRESH_GRACE_MS: '600000',
    });
  });
  afterAll(() => program.remove());

  it(
    `loses no acknowledged change and completes every job after ${killCount} kills at random moments`,
    { timeout: soakCount(300_000, 3_600_000) },
    async () => {
      let server = await program.start();
      const person = await send<{ readonly username: string; readonly password: string }>(
        server,
        'POST',
        '/api/soak/people',
        undefined,
      );
      const session: Session = await send(server, 'POST', '/auth/pub/user/login', person);
      const readName = async (): Promise<string> =>
        (
          await send<{ readonly name: string }>(
            server,
            'GET',
            '/api/me',
            undefined,
            acknowledgedWork.session.accessToken,
          )
        ).name;
      const acknowledgedWork: Acknowledged = {
        session,
        uploads: new Map(),
        nodes: new Set(),
        name: { saved: '', pending: '' },
        onDone: () => undefined,
      };
      acknowledgedWork.name.saved = acknowledgedWork.name.pending = await readName();

      for (let kill = 0; kill < killCount; kill += 1) {
        const randomMoment = waitForRandomMoment(acknowledgedWork);
        const load = runLoad(server, acknowledgedWork, kill);
        await Promise.race([randomMoment, load.then(() => Promise.reject(new Error('The server ended by itself.')))]);
        await server.kill();
        await load;
        server = await program.start();
        acknowledgedWork.session = await renew(server, acknowledgedWork.session);
        const name = await readName();
        expect([acknowledgedWork.name.saved, acknowledgedWork.name.pending]).toContain(name);
        acknowledgedWork.name.saved = name;
      }
      expect(acknowledgedWork.uploads.size).toBeGreaterThanOrEqual(killCount);
      expect(acknowledgedWork.nodes.size).toBeGreaterThan(0);
      await waitForJobs(server);
      expect(await server.stop()).toBe(0);

      const database = await program.openDatabase();
      try {
        await expectSaved(database, program.data, acknowledgedWork);
        // On PostgreSQL other servers may be receiving uploads, so unfinished files stay for a day.
        if (kind === 'embedded') expect(await listNames(path.join(program.data, 'uploads'))).toEqual([]);
      } finally {
        await database.close();
      }
    },
  );
});

/** Resolves after each kind of work was acknowledged once, and up to 40 acknowledgements later. */
function waitForRandomMoment(acknowledgedWork: Acknowledged): Promise<void> {
  const doneKinds = new Set<Work>();
  let remainingCount = randomInt(40);
  return new Promise((resolve) => {
    acknowledgedWork.onDone = (work) => {
      doneKinds.add(work);
      if (doneKinds.size === 4 && remainingCount-- <= 0) resolve();
    };
  });
}

/** Runs four kinds of work in parallel. Resolves when the server was killed. */
async function runLoad(server: RunningServer, acknowledgedWork: Acknowledged, kill: number): Promise<void> {
  const { accessToken } = acknowledgedWork.session;
  let names = 0;
  await Promise.all([
    untilKilled(async () => {
      acknowledgedWork.session = await renew(server, acknowledgedWork.session);
      acknowledgedWork.onDone('renewal');
    }),
    untilKilled(async () => {
      acknowledgedWork.name.pending = `Person ${kill}.${(names += 1)}`;
      await send(server, 'PUT', '/api/me', { name: acknowledgedWork.name.pending }, accessToken);
      acknowledgedWork.name.saved = acknowledgedWork.name.pending;
      acknowledgedWork.onDone('name');
    }),
    untilKilled(async () => {
      // Random bytes alone start like an MPEG file now and then, which the server refuses under another file name.
      const bytes = Buffer.concat([Buffer.from('Random bytes of the test:'), randomBytes(50_000)]);
      const form = new FormData();
      form.append('file', new Blob([bytes]), 'bytes.bin');
      const { id } = await send<{ readonly id: string }>(server, 'POST', '/api/soak/uploads', form, accessToken);
      acknowledgedWork.uploads.set(id, createHash('sha256').update(bytes).digest('hex'));
      acknowledgedWork.onDone('upload');
    }),
    untilKilled(async () => {
      acknowledgedWork.nodes.add(
        (await send<{ readonly node: string }>(server, 'POST', '/api/soak/panoramas', undefined, accessToken)).node,
      );
      acknowledgedWork.onDone('node');
      // The pause limits the load, because the jobs of earlier servers continue at the same time.
      await pause(300);
    }),
  ]);
}

async function waitForJobs(server: RunningServer): Promise<void> {
  const readOpenJobs = async (): Promise<string | undefined> =>
    /^walkdown_jobs_open (\d+)$/m.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1];
  await expect.poll(readOpenJobs, { timeout: soakCount(120_000, 600_000), interval: 200 }).toBe('0');
}

interface Node {
  readonly uid: string;
  readonly pyramid_file: string | null;
  readonly pyramid: { readonly levels: readonly { readonly columns: number; readonly rows: number }[] } | null;
}

/** Checks that every acknowledged upload has its bytes, every node has all tiles, and every file has a row. */
async function expectSaved(database: PoolDatabase, data: string, acknowledgedWork: Acknowledged): Promise<void> {
  const folder = path.join(data, 'files');
  const files = new StoredFiles(database, new DiskBlobs(folder), log);
  for (const [id, sha256] of acknowledgedWork.uploads) {
    expect(
      createHash('sha256')
        .update(await buffer(await files.read(id)))
        .digest('hex'),
    ).toBe(sha256);
  }
  const nodes = await database.query<Node>('select uid, pyramid_file, pyramid from tour.node');
  const tiledNodes = nodes.filter((node) => acknowledgedWork.nodes.has(node.uid) || node.pyramid_file !== null);
  expect(tiledNodes.length).toBeGreaterThanOrEqual(acknowledgedWork.nodes.size);
  for (const { pyramid_file: pyramid, pyramid: description } of tiledNodes) {
    const parts = await files.listEntries(pyramid ?? 'none');
    expect(parts).toHaveLength(description?.levels.reduce((sum, { columns, rows }) => sum + columns * rows, 1) ?? -1);
    for (const { path: part } of parts)
      expect(
        (await sharp(await buffer(await files.read(pyramid ?? 'none', undefined, part))).stats()).channels,
      ).toHaveLength(3);
  }
  expect(
    await database.query("select id, message from core.job where state <> 'completed' or result <> 'SUCCESS'"),
  ).toEqual([]);

  await files.cleanUp(true);
  const storedPaths = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  const rows = await database.query<{ id: string; folder: boolean }>(
    "select id, folder from core.file where state = 'stored'",
  );
  const expectedPaths = await Promise.all(
    rows.map(async ({ id, folder: isFolder }) =>
      isFolder
        ? (await files.listEntries(id)).map((part) => path.join(id.slice(0, 2), id, part.path))
        : [path.join(id.slice(0, 2), id)],
    ),
  );
  expect(storedPaths.sort()).toEqual(expectedPaths.flat().sort());
}

const listNames = async (folder: string): Promise<readonly string[]> => (existsSync(folder) ? readdir(folder) : []);

describe('a data folder', () => {
  let program: ServerProgram;
  beforeAll(async () => {
    program = await buildServerProgram();
  });
  afterAll(() => program.remove());

  it(
    `is used by one server only: a second and a third are refused (${raceCount} races)`,
    { timeout: soakCount(120_000, 900_000) },
    async () => {
      const dataFolder = await program.createDataFolder();
      const start = (): Promise<RunningServer> => program.start({ WALKDOWN_DATA: dataFolder, LOG_LEVEL: 'silent' });
      const sentence = /The data folder .* is in use by the process \d+/;
      for (let race = 0; race < raceCount; race += 1) {
        const outcomes = await Promise.allSettled([start(), start()]);
        const [running, ...otherServers] = outcomes.flatMap((outcome) =>
          outcome.status === 'fulfilled' ? [outcome.value] : [],
        );
        expect(otherServers).toEqual([]);
        expect(outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []))).toEqual([
          expect.stringMatching(sentence),
        ]);
        await expect(start()).rejects.toThrow(sentence);
        expect((await fetch(`${running?.url}/readyz`)).status).toBe(200);
        await (race % 2 === 0 ? running?.kill() : running?.stop());
      }
    },
  );
});
