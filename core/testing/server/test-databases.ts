import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { describe, inject } from 'vitest';
import { coreParts } from '../../server/core-parts.ts';
import { EmbeddedThread } from '../../server/database/embedded-thread.ts';
import { migrate } from '../../server/database/migrate.ts';
import { openDatabase } from '../../server/database/open-database.ts';
import type { PoolDatabase } from '../../server/database/pool-database.ts';
import { Secret } from '../../server/kernel/secret.ts';
import { listMigrationOwners } from '../../server/start/server.ts';
import type { ServerConfig } from '../../server/kernel/server-config.ts';
import { readFolderImage, writeFolderImage, type FolderImage } from './folder-image.ts';
import { createPostgresDatabase, ensurePostgresDatabase } from './postgres-server.ts';

export type DatabaseKind = 'embedded' | 'postgres';
export const databaseKinds: readonly DatabaseKind[] = ['embedded', 'postgres'];

/**
 * Runs the suite on each kind of database, or on `kinds`. Without PostgreSQL, its suite is skipped with the reason in
 * the title.
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
  /** Must be called after the database was closed. */
  readonly remove: () => Promise<void>;
}

export interface TestDatabaseOptions {
  /** The database contains core's tables, copied instead of migrated. It is empty by default. */
  readonly withCore?: boolean;
}

/** Creates a separate database. */
export async function createTestDatabase(
  kind: DatabaseKind,
  { withCore = false }: TestDatabaseOptions = {},
): Promise<TestDatabase> {
  if (kind === 'embedded') return createEmbedded(withCore ? await ensureCoreTemplate() : await ensureEmptyTemplate());
  const postgres = inject('postgres');
  if ('missing' in postgres) throw new Error(`There is no PostgreSQL to test on: ${postgres.missing}.`);
  if (withCore) await ensureCorePostgres(postgres.url, postgres.coreTemplate);
  const { url, remove } = await createPostgresDatabase(postgres.url, withCore ? postgres.coreTemplate : undefined);
  return { config: { kind: 'postgres', url: new Secret(url), connections: 10 }, remove };
}

let corePostgres: Promise<void> | undefined;

/** Copying a template takes half the processor time of migrating a new database. */
function ensureCorePostgres(url: string, name: string): Promise<void> {
  return (corePostgres ??= ensurePostgresDatabase(url, name, async (databaseUrl) => {
    const config = { kind: 'postgres', url: new Secret(databaseUrl), connections: 1 } as const;
    const database = await openDatabase(config, { log: silent, durable: false });
    await migrate(database, listMigrationOwners(coreParts, []));
    await database.close();
  }));
}

/** Creates and opens a separate, empty database. `close` removes it. */
export async function openTestDatabase(kind: DatabaseKind): Promise<PoolDatabase> {
  const testDatabase = await createTestDatabase(kind);
  const database = await openDatabase(testDatabase.config, { log: silent, durable: false, checked: true });
  const close = database.close.bind(database);
  database.close = async () => {
    await close();
    await testDatabase.remove();
  };
  return database;
}

/** Copies an embedded database with core's tables into a data folder, which is much faster than migrating a new one. */
export async function copyCoreDatabase(dataFolder: string): Promise<void> {
  copyTemplate(await ensureCoreTemplate(), path.join(dataFolder, 'database'));
}

async function createEmbedded(template: string): Promise<TestDatabase> {
  await compilePglite();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-test-'));
  copyTemplate(template, path.join(folder, 'database'));
  return {
    config: { kind: 'embedded', folder: path.join(folder, 'database') },
    remove: async () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

const templates = new Map<string, FolderImage>();

/** Reads each template once per process. */
function copyTemplate(template: string, to: string): void {
  const image = templates.get(template) ?? readFolderImage(template);
  templates.set(template, image);
  writeFolderImage(image, to);
}

const silent = pino({ level: 'silent' });

function ensureEmptyTemplate(): Promise<string> {
  return ensureTemplate(`embedded-single-${readPgliteVersion()}`, async (folder) => {
    const thread = await EmbeddedThread.open({ folder, durable: false });
    await thread.close();
    removeTemplateDatabases(folder);
  });
}

/** The folders of `template1` and `template0`, which nothing opens: a third of the bytes and half of the files. */
const templateDatabases = ['1', '4'];

/** Removes PostgreSQL's own templates for new databases, which halves the time of a copy. */
function removeTemplateDatabases(folder: string): void {
  for (const name of templateDatabases) fs.rmSync(path.join(folder, 'base', name), { recursive: true });
}

/** The template is rebuilt when a migration of core changes. */
function ensureCoreTemplate(): Promise<string> {
  const owners = listMigrationOwners(coreParts, []);
  const steps = createHash('sha256').update(JSON.stringify(owners)).digest('hex').slice(0, 16);
  return ensureTemplate(`embedded-single-core-${readPgliteVersion()}-${steps}`, async (folder) => {
    copyTemplate(await ensureEmptyTemplate(), folder);
    const database = await openDatabase({ kind: 'embedded', folder }, { log: silent, durable: false });
    await migrate(database, owners);
    await database.close();
  });
}

const packages = fileURLToPath(new URL('../../../node_modules/', import.meta.url));

/** `WebAssembly` of Node, whose types declare it only together with the DOM. */
interface Compiler {
  compile(bytes: Uint8Array): Promise<object>;
}

let compilation: Promise<object> | undefined;

/**
 * Compiles PGlite once per process: V8 shares the compiled code of equal bytes between threads while one of them
 * references it.
 */
async function compilePglite(): Promise<void> {
  const { WebAssembly: compiler } = globalThis as unknown as { readonly WebAssembly: Compiler };
  compilation ??= compiler.compile(fs.readFileSync(path.join(packages, '@electric-sql/pglite/dist/pglite.wasm')));
  await compilation;
}

function readPgliteVersion(): string {
  const file = path.join(packages, '@electric-sql/pglite/package.json');
  return (JSON.parse(fs.readFileSync(file, 'utf8')) as { readonly version: string }).version;
}

/** A folder that is built once and cached between runs. Several test processes may request it concurrently. */
async function ensureTemplate(name: string, build: (folder: string) => Promise<void>): Promise<string> {
  const cache = path.join(packages, '.cache/walkdown');
  const folder = path.join(cache, name);
  if (fs.existsSync(folder)) return folder;
  fs.mkdirSync(cache, { recursive: true });
  const unfinishedFolder = path.join(cache, randomUUID());
  await build(unfinishedFolder);
  try {
    fs.renameSync(unfinishedFolder, folder);
  } catch (error) {
    // Another test process finished first.
    fs.rmSync(unfinishedFolder, { recursive: true, force: true });
    if (!fs.existsSync(folder)) throw error;
  }
  return folder;
}
