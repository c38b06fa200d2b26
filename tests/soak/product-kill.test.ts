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

const kills = soakCount(2, 50);
const races = soakCount(2, 20);
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
  /** The last saved name, and the one in progress when the server was killed. */
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

async function send<T>(
  server: RunningServer,
  method: string,
  address: string,
  body: unknown,
  token?: string,
): Promise<T> {
  const form = body instanceof FormData;
  const headers = {
    'x-token-transport': 'json',
    ...(form || body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const answer = await fetch(server.address + address, {
    method,
    headers,
    ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Refused(`${method} ${address} was answered with ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}
/** A response, as opposed to a connection that broke by the kill. */
class Refused extends Error {}

const renew = (server: RunningServer, { username, refreshToken }: Session): Promise<Session> =>
  send(server, 'POST', '/auth/pub/user/token/renew', { username, refreshToken });

/** Repeats `step` until the server is gone. Throws for every error response. */
async function untilKilled(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await work();
    } catch (error) {
      if (error instanceof Refused) throw error;
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
    `keeps acknowledged sessions, settings and uploads and ends every job after kills at ${kills} random moments`,
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
      const nameNow = async (): Promise<string> =>
        (await send<{ readonly name: string }>(server, 'GET', '/api/me', undefined, acknowledged.session.accessToken))
          .name;
      const acknowledged: Acknowledged = {
        session,
        uploads: new Map(),
        nodes: new Set(),
        name: { saved: '', pending: '' },
        onDone: () => undefined,
      };
      acknowledged.name.saved = acknowledged.name.pending = await nameNow();

      for (let kill = 0; kill < kills; kill += 1) {
        const moment = randomMoment(acknowledged);
        const ends = underLoad(server, acknowledged, kill);
        await Promise.race([moment, ends.then(() => Promise.reject(new Error('The server ended by itself.')))]);
        await server.kill();
        await ends;
        server = await program.start();
        acknowledged.session = await renew(server, acknowledged.session);
        const name = await nameNow();
        expect([acknowledged.name.saved, acknowledged.name.pending]).toContain(name);
        acknowledged.name.saved = name;
      }
      expect(acknowledged.uploads.size).toBeGreaterThanOrEqual(kills);
      expect(acknowledged.nodes.size).toBeGreaterThan(0);
      await allJobsEnded(server);
      expect(await server.stop()).toBe(0);

      const opened = await program.openDatabase();
      try {
        await expectSaved(opened, program.data, acknowledged);
        // Other servers may be receiving uploads, so files of a dead one stay for a day.
        if (kind === 'embedded') expect(await namesIn(path.join(program.data, 'uploads'))).toEqual([]);
      } finally {
        await opened.close();
      }
    },
  );
});

/** Resolves after each kind of work was acknowledged once, and then up to 40 times more. */
function randomMoment(acknowledged: Acknowledged): Promise<void> {
  const done = new Set<Work>();
  let left = randomInt(40);
  return new Promise((resolve) => {
    acknowledged.onDone = (work) => {
      done.add(work);
      if (done.size === 4 && left-- <= 0) resolve();
    };
  });
}

/** Runs four kinds of work in parallel. Resolves when the server is gone. */
async function underLoad(server: RunningServer, acknowledged: Acknowledged, kill: number): Promise<void> {
  const { accessToken } = acknowledged.session;
  let names = 0;
  await Promise.all([
    untilKilled(async () => {
      acknowledged.session = await renew(server, acknowledged.session);
      acknowledged.onDone('renewal');
    }),
    untilKilled(async () => {
      acknowledged.name.pending = `Person ${kill}.${(names += 1)}`;
      await send(server, 'PUT', '/api/me', { name: acknowledged.name.pending }, accessToken);
      acknowledged.name.saved = acknowledged.name.pending;
      acknowledged.onDone('name');
    }),
    untilKilled(async () => {
      const bytes = randomBytes(50_000);
      const form = new FormData();
      form.append('file', new Blob([bytes]), 'bytes.bin');
      const { id } = await send<{ readonly id: string }>(server, 'POST', '/api/soak/uploads', form, accessToken);
      acknowledged.uploads.set(id, createHash('sha256').update(bytes).digest('hex'));
      acknowledged.onDone('upload');
    }),
    untilKilled(async () => {
      acknowledged.nodes.add(
        (await send<{ readonly node: string }>(server, 'POST', '/api/soak/panoramas', undefined, accessToken)).node,
      );
      acknowledged.onDone('node');
      // No more than the server can process: jobs of earlier servers continue at the same time.
      await pause(300);
    }),
  ]);
}

async function allJobsEnded(server: RunningServer): Promise<void> {
  const open = async (): Promise<string | undefined> =>
    /^walkdown_jobs_open (\d+)$/m.exec(await (await fetch(`${server.address}/metrics`)).text())?.[1];
  await expect.poll(open, { timeout: soakCount(120_000, 600_000), interval: 200 }).toBe('0');
}

interface Node {
  readonly uid: string;
  readonly pyramid_file: string | null;
  readonly pyramid: { readonly levels: readonly { readonly columns: number; readonly rows: number }[] } | null;
}

/** Checks that every acknowledged upload has its bytes, every node has all tiles, and no file is without a row. */
async function expectSaved(database: PoolDatabase, data: string, acknowledged: Acknowledged): Promise<void> {
  const folder = path.join(data, 'files');
  const files = new StoredFiles(database, new DiskBlobs(folder), log);
  for (const [id, sha256] of acknowledged.uploads) {
    expect(
      createHash('sha256')
        .update(await buffer(await files.read(id)))
        .digest('hex'),
    ).toBe(sha256);
  }
  const nodes = await database.query<Node>('select uid, pyramid_file, pyramid from tour.node');
  const cut = nodes.filter((node) => acknowledged.nodes.has(node.uid) || node.pyramid_file !== null);
  expect(cut.length).toBeGreaterThanOrEqual(acknowledged.nodes.size);
  for (const { pyramid_file: pyramid, pyramid: description } of cut) {
    const parts = await files.parts(pyramid ?? 'none');
    expect(parts).toHaveLength(description?.levels.reduce((sum, { columns, rows }) => sum + columns * rows, 1) ?? -1);
    for (const { path: part } of parts)
      expect(
        (await sharp(await buffer(await files.read(pyramid ?? 'none', undefined, part))).stats()).channels,
      ).toHaveLength(3);
  }
  expect(
    await database.query("select id, message from core.job where state <> 'completed' or result <> 'SUCCESS'"),
  ).toEqual([]);

  await files.sweep(true);
  const found = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  const rows = await database.query<{ id: string; folder: boolean }>(
    "select id, folder from core.file where state = 'stored'",
  );
  const owned = await Promise.all(
    rows.map(async ({ id, folder: isFolder }) =>
      isFolder
        ? (await files.parts(id)).map((part) => path.join(id.slice(0, 2), id, part.path))
        : [path.join(id.slice(0, 2), id)],
    ),
  );
  expect(found.sort()).toEqual(owned.flat().sort());
}

const namesIn = async (folder: string): Promise<readonly string[]> => (existsSync(folder) ? readdir(folder) : []);

describe('a data folder', () => {
  let program: ServerProgram;
  beforeAll(async () => {
    program = await buildServerProgram();
  });
  afterAll(() => program.remove());

  it(
    `has one server: of two that start at once ${races} times, one is refused, and so is a third`,
    { timeout: soakCount(120_000, 900_000) },
    async () => {
      const data = await program.createDataFolder();
      const start = (): Promise<RunningServer> => program.start({ WALKDOWN_DATA: data, LOG_LEVEL: 'silent' });
      const sentence = /The data folder .* is in use by the process \d+/;
      for (let race = 0; race < races; race += 1) {
        const outcomes = await Promise.allSettled([start(), start()]);
        const [running, ...rest] = outcomes.flatMap((outcome) =>
          outcome.status === 'fulfilled' ? [outcome.value] : [],
        );
        expect(rest).toEqual([]);
        expect(outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []))).toEqual([
          expect.stringMatching(sentence),
        ]);
        await expect(start()).rejects.toThrow(sentence);
        expect((await fetch(`${running?.address}/readyz`)).status).toBe(200);
        await (race % 2 === 0 ? running?.kill() : running?.stop());
      }
    },
  );
});
