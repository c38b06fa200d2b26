import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { describe, inject } from 'vitest';
import { EmbeddedThread } from '../../server/database/embedded-thread.ts';
import { openDatabase } from '../../server/database/open-database.ts';
import type { PoolDatabase } from '../../server/database/pool-database.ts';
import { Secret } from '../../server/kernel/secret.ts';
import type { ServerConfig } from '../../server/kernel/server-config.ts';
import { createPostgresDatabase } from './postgres-server.ts';

export type DatabaseKind = 'embedded' | 'postgres';
export const databaseKinds: readonly DatabaseKind[] = ['embedded', 'postgres'];

/**
 * Runs the suite once on each kind of database (or on those named). Where there is no PostgreSQL, its suite is skipped
 * under a title that says why.
 */
export function describeOnDatabases(title: string, suite: (kind: DatabaseKind) => void, kinds = databaseKinds): void {
  if (kinds.includes('embedded')) describe(`${title} (embedded database)`, () => suite('embedded'));
  if (!kinds.includes('postgres')) return;
  const postgres = inject('postgres');
  if ('missing' in postgres)
    describe.skip(`${title} (PostgreSQL: not run, ${postgres.missing})`, () => suite('postgres'));
  else describe(`${title} (PostgreSQL)`, () => suite('postgres'));
}

export interface TestDatabase {
  readonly config: ServerConfig['database'];
  /** After whoever opened it closed it. */
  readonly remove: () => Promise<void>;
}

/** An empty database of its own. */
export async function makeTestDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  if (kind === 'embedded') return makeEmbedded();
  const postgres = inject('postgres');
  if ('missing' in postgres) throw new Error(`There is no PostgreSQL to test on: ${postgres.missing}.`);
  const { url, remove } = await createPostgresDatabase(postgres.url);
  return { config: { kind: 'postgres', url: new Secret(url), connections: 10 }, remove };
}

/** An empty database of its own, opened; `close` removes it too. */
export async function openTestDatabase(kind: DatabaseKind): Promise<PoolDatabase> {
  const made = await makeTestDatabase(kind);
  const database = await openDatabase(made.config, { log: pino({ level: 'silent' }), durable: false, checked: true });
  const close = database.close.bind(database);
  database.close = async () => {
    await close();
    await made.remove();
  };
  return database;
}

/**
 * Puts an empty embedded database into a data folder: opening a copy takes a fraction of the time that making one anew
 * takes.
 */
export async function placeEmptyDatabase(dataFolder: string): Promise<void> {
  fs.cpSync(await embeddedTemplate(), path.join(dataFolder, 'database'), { recursive: true });
}

async function makeEmbedded(): Promise<TestDatabase> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-test-'));
  await placeEmptyDatabase(folder);
  return {
    config: { kind: 'embedded', folder: path.join(folder, 'database') },
    remove: async () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

async function embeddedTemplate(): Promise<string> {
  const packages = fileURLToPath(new URL('../../../node_modules/', import.meta.url));
  const { version }: { readonly version: string } = JSON.parse(
    fs.readFileSync(path.join(packages, '@electric-sql/pglite/package.json'), 'utf8'),
  );
  const cache = path.join(packages, '.cache/walkdown');
  const template = path.join(cache, `embedded-${version}`);
  if (fs.existsSync(template)) return template;
  fs.mkdirSync(cache, { recursive: true });
  const unfinished = path.join(cache, randomUUID());
  const broken = (error: Error): never => {
    throw error;
  };
  const thread = await EmbeddedThread.open({ folder: unfinished, durable: false, onBroken: broken });
  await thread.close();
  try {
    fs.renameSync(unfinished, template);
  } catch (error) {
    // Another test process was quicker.
    fs.rmSync(unfinished, { recursive: true, force: true });
    if (!fs.existsSync(template)) throw error;
  }
  return template;
}
