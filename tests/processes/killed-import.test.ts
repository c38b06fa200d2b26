import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  describeOnDatabases,
  createRestartableServer,
  soakCount,
  soakSeed,
  type RestartableServer,
  type RunningServer,
} from '#core/testing/server';
import type { Import } from '#plugins/imports';
import { maxWaitMs } from '../../core/testing/max-wait.ts';
import { writeWorkbook } from '../../plugins/imports/server/workbooks/write-workbook.ts';

const killCount = soakCount(2, 100);
const rowCount = soakCount(300, 3000);
/** The longest pause between the beginning of a step and its kill. */
const maxPauseMs = soakCount(100, 600);
const seed = soakSeed();

/** Endpoints that add an admin, and that read an import and its masters in one statement. */
const setupPlugin = `enabledPlugin(
  { id: 'setup', title: 'setup.title', access: [], requires: [], bridges: [], settings: {} },
  {},
  {
    api: (api, { tables }) => {
      const database = toDatabase(tables);
      const any = { type: 'object', additionalProperties: true };
      api.serve({ method: 'POST', path: '/api/setup', summary: 'Adds an admin.', access: 'public', reply: any }, () =>
        addPerson(database, { flags: ['import', 'configure'] }));
      const query = { type: 'object', properties: { batch: { type: 'string' } } };
      api.serve({ method: 'GET', path: '/api/setup', summary: 'Reads an import.', access: 'public', query, reply: any }, async ({ query }) =>
        (await database.query(
          'select phase, result, coalesce((select undone_by is not null from core.change where uid = batch.change), false) as undone, (select count(*)::int from masters.master) as masters, ' +
          '(select count(*)::int from core.change_row where change_row.change = batch.change) as journal, ' +
          '(select count(*)::int from imports.staged_row where staged_row.batch = batch.uid) as staged, ' +
          '(select count(*)::int from core.job where state = \\'completed\\') as jobs ' +
          'from imports.batch where uid = $1', [query.batch]))[0]);
    },
  },
)`;
const parts = {
  imports: `
    import importsManifest from './plugins/imports/plugin.ts';
    import imports from './plugins/imports/server/index.ts';
    import mastersManifest from './plugins/masters/plugin.ts';
    import masters from './plugins/masters/server/index.ts';
    import mastersImports from './plugins/masters/server/bridges/imports.ts';
    import { addPerson } from './core/testing/server/test-people.ts';
    import { toDatabase } from './core/testing/server/to-database.ts';
  `,
  list: `[
    enabledPlugin(importsManifest, { endSessions: true }, imports), enabledPlugin(mastersManifest, {}, masters), ${setupPlugin}
  ]`,
  bridges: "[{ owner: 'masters', partner: 'imports', bridge: mastersImports }]",
};

const steps = ['APPLYING', 'UNDOING', 'READING', 'CHECKING'] as const;
type Step = (typeof steps)[number];

/** An import and what the database has of it. */
interface StoredImport {
  readonly phase: Import['phase'];
  readonly result: Import['result'];
  readonly undone: boolean;
  readonly masters: number;
  readonly journal: number;
  /** Rows that were read. */
  readonly staged: number;
  /** Jobs that ended so far, of all imports. */
  readonly jobs: number;
}

async function buildWorkbook(): Promise<Blob> {
  const workbookFile = path.join(os.tmpdir(), `killed-import-${randomUUID()}.xlsx`);
  const columns = ['Type', 'Name', 'Status'].map((header) => ({
    header,
    required: true,
    note: '',
    kind: 'text' as const,
  }));
  await writeWorkbook(
    workbookFile,
    { sheets: [{ name: 'Masters', columns }], readme: [], meta: {} },
    async function* list() {
      for (let index = 0; index < rowCount; index += 1) yield ['ACTIVITY', `Work ${index}`, 'Active'];
    },
  );
  const content = await readFile(workbookFile);
  await rm(workbookFile);
  return new Blob([new Uint8Array(content)]);
}

describeOnDatabases(`an import of a workbook (seed ${seed})`, (kind) => {
  let program: RestartableServer;
  let server: RunningServer;
  let token: string | undefined;
  beforeAll(async () => {
    program = await createRestartableServer(kind, parts, {
      WALKDOWN_REQUESTS_PER_MINUTE: '0',
      // The embedded database takes jobs of a killed process over at once. A shorter lease ends on a busy machine
      // while a job is alive, which would then restart again and again.
      WALKDOWN_JOB_LEASE_MS: kind === 'postgres' ? '2000' : '30000',
      LOG_LEVEL: 'error',
    });
  });
  afterAll(() => program.remove());

  const send = async <Reply>(method: 'GET' | 'POST', url: string, body?: object): Promise<Reply> => {
    const isForm = body instanceof FormData;
    const answer = await fetch(server.url + url, {
      method,
      headers: {
        'x-token-transport': 'json',
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${url} was answered with ${answer.status}: ${text}\n${server.log()}`);
    return JSON.parse(text) as Reply;
  };
  /** Reads an import, which must be there whole or not at all. */
  const read = async (batch: string): Promise<StoredImport> => {
    const storedImport = await send<StoredImport>('GET', `/api/setup?batch=${batch}`);
    const isApplied = storedImport.phase === 'DONE';
    expect(storedImport).toMatchObject({
      result: isApplied ? 'SUCCESS' : null,
      masters: isApplied && !storedImport.undone ? rowCount : 0,
      journal: isApplied ? rowCount : 0,
    });
    return storedImport;
  };
  /** Ends if nothing of the import changes for a minute. */
  const waitFor = async (batch: string, phases: readonly Import['phase'][]): Promise<void> => {
    let [former, changedAt] = ['', Date.now()];
    for (;;) {
      const storedImport = await read(batch);
      if (phases.includes(storedImport.phase)) return;
      const currentState = JSON.stringify(storedImport);
      if (currentState !== former) [former, changedAt] = [currentState, Date.now()];
      else if (Date.now() - changedAt > maxWaitMs)
        throw new Error(`The import did not get from ${currentState} to ${phases.join(' or ')}.\n${server.log()}`);
      await pause(5);
    }
  };

  it(
    `[IMP-09] is there whole or not at all, and is shown so, after ${killCount} kills at random moments`,
    { timeout: soakCount(60_000, 40 * 60_000) },
    async () => {
      const workbook = await buildWorkbook();
      const moments = fc.sample(fc.double({ min: 0, max: maxPauseMs, noNaN: true }), { seed, numRuns: killCount });
      server = await program.start();
      const { username, password } = await send<{ username: string; password: string }>('POST', '/api/setup');
      const login = async (): Promise<void> => {
        token = undefined;
        token = (await send<{ accessToken: string }>('POST', '/auth/pub/user/login', { username, password }))
          .accessToken;
      };
      for (let index = 0; index < killCount; index += 1) {
        const killedStep = steps[index % steps.length];
        const batch = randomUUID();
        const kill = async (step: Step): Promise<void> => {
          if (step !== killedStep) return;
          await pause(moments[index]);
          await server.kill();
          server = await program.start();
          await read(batch);
          await login();
        };
        await login();
        await send('POST', '/api/imports', { uid: batch, kind: 'masters.masters', mode: 'UPSERT' });
        const form = new FormData();
        form.append('files', workbook, 'masters.xlsx');
        await send('POST', `/api/imports/${batch}/files`, form);
        await kill('READING');
        await waitFor(batch, ['CHECKING', 'PREVIEW']);
        await kill('CHECKING');
        await waitFor(batch, ['PREVIEW']);
        const { version } = await send<Import>('GET', `/api/imports/${batch}`);
        await send('POST', `/api/imports/${batch}/apply`, { version, remove: false, backup: false });
        await kill('APPLYING');
        await waitFor(batch, ['DONE']);
        const undo = (): Promise<unknown> => send('POST', `/api/imports/${batch}/undo`, { dryRun: false });
        const undoing = undo().catch((error: unknown) => error);
        await kill('UNDOING');
        await undoing;
        if (!(await read(batch)).undone) await undo();
        expect(await send('GET', `/api/imports/${batch}`)).toMatchObject({ result: 'SUCCESS', undone: true });
        expect(await read(batch)).toMatchObject({ undone: true, masters: 0 });
      }
      expect(await server.stop()).toBe(0);
    },
  );
});
