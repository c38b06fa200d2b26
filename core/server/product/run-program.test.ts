import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnDatabases, createTestDatabase, testProduct, type TestDatabase } from '#core/testing/server';
import { coreParts } from '../core-parts.ts';
import { migrate, type MigrationOwner } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import { notFound } from '../kernel/server-error.ts';
import type { TransferredSite } from '../site-contents/site-contents.ts';
import { listMigrationOwners } from '../start/server.ts';
import {
  backupServer,
  checkServer,
  dropServer,
  migrateServer,
  resetSecondFactorServer,
  restoreServer,
} from '../start/start.ts';
import { runProgram, type ProductActions } from './run-program.ts';

const content = { product: testProduct, plugins: [] };
const serving: object[] = [];
const transfers: object[] = [];
const summary: TransferredSite = {
  site: 'HB',
  name: 'Halvorsen Bravo',
  files: 3,
  bytes: 20,
  contents: [
    {
      content: 'things.all',
      counts: { added: 2, changed: 1, unchanged: 4 },
      notes: [{ en: 'A note.', fr: 'Une note.' }],
    },
  ],
};
const product: ProductActions = {
  serve: async (environment) => serving.push(environment),
  migrate: (environment) => migrateServer(content, environment),
  check: (environment) => checkServer(content, environment),
  exportSite: async (options) => {
    transfers.push(options);
    if (options.site === 'none') throw notFound('The site none');
    return summary;
  },
  importSite: async (options) => {
    transfers.push(options);
    return summary;
  },
  backup: (file, environment) => backupServer(content, file, environment),
  restore: (file, environment) => restoreServer(content, file, environment),
  resetSecondFactor: (email, environment) => resetSecondFactorServer(content, email, environment),
  drop: (plugin, options, environment) => dropServer(content, plugin, options, environment),
};

interface ProgramResult {
  readonly code: number | undefined;
  readonly out: string;
  readonly error: string;
}

async function run(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ProgramResult> {
  const output = { out: '', error: '' };
  const code = await runProgram(args, product, environment, {
    out: (text) => void (output.out += `${text}\n`),
    error: (text) => void (output.error += `${text}\n`),
  });
  return { code, ...output };
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'walkdown-program-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a product's server program", () => {
  it('starts the server with the environment if it has no arguments', async () => {
    expect(await run([], { PORT: '0' })).toEqual({ code: undefined, out: '', error: '' });
    expect(serving).toEqual([{ PORT: '0' }]);
  });

  it('prints its usage, and refuses invalid commands with exit code 2', async () => {
    expect(await run(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('backup --file') as string });
    const refusals: readonly (readonly [readonly string[], string])[] = [
      [['bakcup'], "Unknown command 'bakcup'."],
      [['constructor'], "Unknown command 'constructor'."],
      [['--port', '80'], "Unknown option '--port'"],
      [['backup'], "'backup' needs --file <file>."],
      [['backup', 'monday.tar.gz'], "'backup' does not accept 'monday.tar.gz'."],
      [['migrate', '--yes'], "'migrate' does not accept --yes."],
      [['export', '--site', 'HB'], "'export' needs --site <code> and --out <folder>."],
      [['export', '--site', 'HB', '--out', 'x', '--language', 'de'], '--language is en or fr.'],
      [['import'], "'import' needs one folder that an export wrote."],
      [['import', 'x'], "'import' needs --as <email> of an admin."],
      [['drop'], "'drop' needs the id of one plugin."],
      [['reset-second-factor'], "'reset-second-factor' needs the email address of one account."],
    ];
    for (const [args, message] of refusals) {
      const result = await run(args);
      expect(result, args.join(' ')).toMatchObject({ code: 2, error: expect.stringContaining(message) as string });
      expect(result.error).toContain('Usage: node server.mjs');
    }
    expect(serving).toHaveLength(1);
  });

  it('exports and imports a site', async () => {
    const contents = 'things.all: 2 added, 1 changed, 4 unchanged\n  A note.\n';
    expect(await run(['export', '--site', 'HB', '--out', 'hb', '--language', 'fr'])).toEqual({
      code: 0,
      out: `${contents}Wrote 3 files to ${path.resolve('hb')}.\n`,
      error: '',
    });
    expect(await run(['export', '--site', 'none', '--out', 'hb'])).toMatchObject({ code: 7 });
    const importing = ['import', 'hb', '--as', 'ada@walkdown.example'];
    expect(await run([...importing, '--dry-run'])).toMatchObject({
      code: 0,
      out: `${contents}Site HB: 3 rows would be added or changed. Nothing was written.\n`,
    });
    expect((await run(importing)).out).toContain('Site HB: 3 rows added or changed.');
    const target = path.resolve('hb');
    expect(transfers).toEqual([
      { site: 'HB', folder: target, language: 'fr' },
      { site: 'none', folder: target, language: 'en' },
      { folder: target, username: 'ada@walkdown.example', dryRun: true },
      { folder: target, username: 'ada@walkdown.example', dryRun: false },
    ]);
  });

  it('explains an unsuitable environment', async () => {
    const file = path.join(folder, 'none.tar.gz');
    const environment = { WALKDOWN_DATA: path.join(folder, 'none'), LOG_LEVEL: 'silent' };
    expect(await run(['backup', '--file', file], environment)).toMatchObject({
      code: 2,
      error: expect.stringContaining('There is no database in') as string,
    });
    expect(await run(['restore', '--file', file], environment)).toMatchObject({
      error: expect.stringContaining(`There is no archive ${file}`) as string,
    });
  });
});

describeOnDatabases('commands of a product without the project', (kind) => {
  const log = pino({ level: 'silent' });
  const databases: TestDatabase[] = [];
  /** An environment with its own database. */
  async function createEnvironment(): Promise<Readonly<Record<string, string>>> {
    const database = await createTestDatabase(kind);
    databases.push(database);
    const { config } = database;
    if (config.kind === 'embedded') return { WALKDOWN_DATA: path.dirname(config.folder), LOG_LEVEL: 'silent' };
    return {
      WALKDOWN_DATA: await mkdtemp(path.join(folder, 'data-')),
      DATABASE_URL: config.url.reveal(),
      LOG_LEVEL: 'silent',
    };
  }
  let environment: Readonly<Record<string, string>>;
  beforeAll(async () => {
    environment = await createEnvironment();
  });
  afterAll(() => Promise.all(databases.map((database) => database.remove())));

  it('migrates, checks, backs up and restores', async () => {
    expect(await run(['migrate'], environment)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Applied \d+ migrations:\n/) as string,
    });
    expect(await run(['migrate'], environment)).toMatchObject({ code: 0, out: 'The database is up to date.\n' });
    expect(await run(['check'], environment)).toEqual({ code: 0, out: '0 checks, 0 with findings.\n', error: '' });
    const file = path.join(folder, `${kind}.tar.gz`);
    const backup = await run(['backup', '--file', file], environment);
    expect(backup).toMatchObject({ code: 0, out: expect.stringMatching(/^Wrote \d+ rows of \d+ tables/) as string });
    const restore = await run(['restore', '--file', file], await createEnvironment());
    expect(restore).toMatchObject({ code: 0, out: backup.out.replace('Wrote', 'Restored').replace(' to ', ' from ') });
    expect(await run(['restore', '--file', file], environment)).toMatchObject({
      error: expect.stringContaining('The database is not empty') as string,
    });
  });

  it('removes the data of a plugin only after confirmation', async () => {
    const notes: MigrationOwner = {
      id: 'notes',
      schema: 'notes',
      prefix: 'notes-',
      migrations: [{ id: 'notes-0001-create', up: 'create table note (text text); insert into note values (1), (2)' }],
    };
    const config = databases[0]!.config;
    const database = await openDatabase(config, { log });
    await migrate(database, [...listMigrationOwners(coreParts, []), notes]);
    await database.close();
    expect(await run(['drop', 'notes'], environment)).toEqual({
      code: 2,
      out: '',
      error: 'This removes the data of "notes" (tables: 1, rows: 2, files: 0) permanently. Add --yes to confirm.\n',
    });
    const archive = path.join(folder, `${kind}-notes.tar.gz`);
    expect(await run(['drop', 'notes', '--yes', '--archive', archive], environment)).toEqual({
      code: 0,
      out: 'Removed the data of "notes" (tables: 1, rows: 2, files: 0).\n',
      error: '',
    });
    expect(existsSync(archive)).toBe(true);
    expect(await run(['drop', 'notes', '--yes'], environment)).toMatchObject({
      code: 2,
      error: expect.stringContaining('holds no data of "notes"') as string,
    });
  });
});
