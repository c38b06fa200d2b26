import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';

/** A PostgreSQL server for tests, or the reason why there is none. */
export type PostgresForTests =
  | {
      readonly url: string;
      /** The name of this run's database with core's tables, which the first test that needs it creates. */
      readonly coreTemplate: string;
    }
  | { readonly missing: string };

export interface StartedPostgres {
  readonly postgres: PostgresForTests;
  readonly stop: () => Promise<void>;
}

const installations = '/usr/lib/postgresql';

/** Stops the server when this process ends for any reason: the pipe to the stopping process then closes. */
const stopWithParent = '"$0" "$@" & server=$!; cat >/dev/null; kill -INT $server; wait $server';

/**
 * Uses the server at `TEST_DATABASE_URL`, or else starts Debian's PostgreSQL on a socket in a new folder, without
 * fsync.
 */
export async function startPostgres(): Promise<StartedPostgres> {
  const configuredUrl = process.env['TEST_DATABASE_URL'];
  const coreTemplate = `walkdown_core_${randomBytes(6).toString('hex')}`;
  if (configuredUrl)
    return {
      postgres: { url: configuredUrl, coreTemplate },
      stop: () => removePostgresDatabase(configuredUrl, coreTemplate),
    };
  const programs = findPrograms();
  if (!programs)
    return reportMissing(
      `there is no PostgreSQL in ${installations} and TEST_DATABASE_URL is not set (Debian: apt-get install ` +
        'postgresql)',
    );
  const account = process.getuid?.() === 0 ? findUser('postgres') : {};
  if (!account) return reportMissing('the tests run as root, and there is no account "postgres" for the server');
  return startServer(programs, account, coreTemplate);
}

async function startServer(
  programs: string,
  account: { readonly uid?: number; readonly gid?: number },
  coreTemplate: string,
): Promise<StartedPostgres> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-postgres-'));
  if (account.uid !== undefined && account.gid !== undefined) fs.chownSync(folder, account.uid, account.gid);
  const data = path.join(folder, 'data');
  execFileSync(
    path.join(programs, 'initdb'),
    ['-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8'],
    { ...account, stdio: 'ignore', cwd: folder },
  );
  const settings = ['listen_addresses=', 'fsync=off', 'max_connections=100'].flatMap((setting) => ['-c', setting]);
  const server = spawn(
    'sh',
    ['-c', stopWithParent, path.join(programs, 'postgres'), '-D', data, '-k', folder, ...settings],
    {
      ...account,
      stdio: ['pipe', 'ignore', 'pipe'],
      cwd: folder,
    },
  );
  const stop = async (): Promise<void> => {
    const exitEvent = new Promise<void>((resolve) => server.once('exit', () => resolve()));
    server.stdin?.end();
    await exitEvent;
    fs.rmSync(folder, { recursive: true, force: true });
  };
  await waitUntilReady(server);
  const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`;
  return { postgres: { url, coreTemplate }, stop };
}

function waitUntilReady(server: ChildProcess): Promise<void> {
  let output = '';
  return new Promise((resolve, reject) => {
    server.stderr?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000);
      if (output.includes('ready to accept connections')) resolve();
    });
    server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${output}`)));
  });
}

const reportMissing = (reason: string): StartedPostgres => ({
  postgres: { missing: reason },
  stop: async () => undefined,
});

function findPrograms(): string | undefined {
  const versions = fs.existsSync(installations) ? fs.readdirSync(installations) : [];
  const newest = versions
    .filter((version) => fs.existsSync(path.join(installations, version, 'bin', 'postgres')))
    .sort((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? undefined : path.join(installations, newest, 'bin');
}

function findUser(name: string): { readonly uid: number; readonly gid: number } | undefined {
  const readNumber = (flag: string): number =>
    Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }).toString());
  try {
    return { uid: readNumber('-u'), gid: readNumber('-g') };
  } catch {
    return undefined;
  }
}

export interface FreshDatabase {
  readonly url: string;
  readonly remove: () => Promise<void>;
}

/** Creates a separate database on a running server, as a copy of another one if `template` is its name. */
export async function createPostgresDatabase(url: string, template?: string): Promise<FreshDatabase> {
  const name = `walkdown_test_${randomBytes(6).toString('hex')}`;
  await administer(url, (client) => client.query(`create database ${name}${template ? ` template ${template}` : ''}`));
  return {
    url: toDatabaseUrl(url, name),
    remove: () => removePostgresDatabase(url, name),
  };
}

/** Creates and fills the database `name`, unless this or another process has done it. */
export function ensurePostgresDatabase(
  url: string,
  name: string,
  fill: (databaseUrl: string) => Promise<void>,
): Promise<void> {
  return administer(url, async (client) => {
    // Ends with this connection.
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    if ((await client.query('select from pg_database where datname = $1', [name])).rowCount !== 0) return;
    const unfinishedDatabase = await createPostgresDatabase(url);
    await fill(unfinishedDatabase.url);
    await client.query(`alter database ${new URL(unfinishedDatabase.url).pathname.slice(1)} rename to ${name}`);
  });
}

function removePostgresDatabase(url: string, name: string): Promise<void> {
  return administer(url, async (client) => void (await client.query(`drop database if exists ${name} with (force)`)));
}

function toDatabaseUrl(url: string, name: string): string {
  const databaseUrl = new URL(url);
  databaseUrl.pathname = `/${name}`;
  return databaseUrl.toString();
}

async function administer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
