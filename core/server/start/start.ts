import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { DemoPlant } from '#core';
import type { BackupSummary } from '../backup/archive-names.ts';
import { addFirstAdmin, assertFirstAdminAddress } from '../auth/first-admin.ts';
import { Callers } from '../auth/load-caller.ts';
import { SecondFactorResets } from '../auth/second-factor/second-factor-resets.ts';
import { findSignInProblems } from '../auth/sign-in-problems.ts';
import { assertDatabaseExists, assertArchiveWritable } from '../backup/backup-preconditions.ts';
import { verifyArchive } from '../backup/archive-reader.ts';
import { writeBackup, type BackupContext } from '../backup/backup.ts';
import { restoreBackup } from '../backup/restore.ts';
import { checkContents, formatReport, type ProductReport } from '../content-checks/check-product.ts';
import { coreParts } from '../core-parts.ts';
import { migrate, type AppliedMigration } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import { openBlobs } from '../files/files-part.ts';
import { dropPluginData, type PluginData } from '../plugin-data/drop-plugin-data.ts';
import { describeUnusedData, findUnusedData, type UnusedData } from '../plugin-data/unused-data.ts';
import { verifyAtStart } from '../product/verify-at-start.ts';
import { ExampleWorkbooks, type ExampleOptions, type ExampleWorkbook } from '../site-contents/example-workbooks.ts';
import { SiteTransfers, type TransferredSite } from '../site-contents/site-contents.ts';
import { createServer, listMigrationOwners, type ServerContent, type WalkdownServer } from './server.ts';
import { prepareDataFolder } from './data-folder.ts';
import { collectGarbage, limitHeapGrowth } from '../kernel/garbage-collection.ts';
import { ConfigurationError } from '../kernel/configuration-error.ts';
import { checkPort } from '../kernel/listen.ts';
import { readValidServerConfig, type ServerConfig } from '../kernel/server-config.ts';
import { createLog } from '../kernel/server-log.ts';

// The generated server entry calls the functions of this file. Each `*-worker.mjs` of core and the enabled plugins must
// be next to the bundled server, because `new URL('./<name>-worker.mjs', import.meta.url)` locates it.

/** A server that listens, and its URL. */
export interface StartedServer {
  readonly server: WalkdownServer;
  /** The URL with its port, such as `http://127.0.0.1:3000`. */
  readonly url: string;
}

export interface StartOptions {
  /** Called after the migration and before the first request, for example to fill an empty database. */
  readonly prepare?: (server: WalkdownServer) => Promise<void>;
  /** Prints messages for the operator, such as the first admin's password. Writes to stdout by default. */
  readonly print?: (text: string) => void;
}

const wildcardHosts = new Set(['0.0.0.0', '::']);
/** EX_SOFTWARE of sysexits.h. */
const databaseLostExitCode = 70;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Serves until SIGTERM or SIGINT. Once it listens it logs `{ "address": ... }`, and sends `{ address }` to a parent
 * process with an IPC channel.
 */
export async function startServer(
  content: ServerContent,
  environment: Environment = process.env,
  { prepare, print = printToStdout }: StartOptions = {},
): Promise<StartedServer> {
  limitHeapGrowth();
  const firstAdmin = environment['WALKDOWN_FIRST_ADMIN']?.trim();
  if (firstAdmin) assertFirstAdminAddress(firstAdmin);
  const { config, log } = readConfiguration(environment);
  await verifyAtStart(content.bundleFolder, config, log);
  await checkPort(config);
  await prepareDataFolder(config);
  const server = await createServer({
    ...content,
    config,
    log,
    onLost: (error) => {
      log.fatal({ err: error }, 'The database in memory is lost, so this process ends.');
      process.exit(databaseLostExitCode);
    },
  });
  stopOnSignals(server, config, log);
  try {
    await prepare?.(server);
    if (firstAdmin) await addFirstAdmin(server.database, firstAdmin, print);
    for (const data of await findUnusedData(server.database, listMigrationOwners(coreParts, content.plugins)))
      log.warn({ plugin: data.plugin }, describeUnusedData(data));
    for (const sentence of await findSignInProblems(server.database, content.product, config)) log.warn(sentence);
    if (config.publicUrl === undefined && wildcardHosts.has(config.host)) {
      log.warn(
        { variable: 'WALKDOWN_PUBLIC_ADDRESS' },
        `WALKDOWN_PUBLIC_ADDRESS is not set and HOST is ${config.host}, all addresses of this machine. Links in ` +
          'mails do not work until it is set to the address that people use.',
      );
    }
    const url = await server.listen();
    // The objects of the start are no longer needed.
    await collectGarbage();
    log.info({ address: url }, 'Listening.');
    process.send?.({ address: url });
    return { server, url };
  } catch (error) {
    await server.close();
    throw error;
  }
}

export interface MigrateSummary {
  readonly applied: readonly AppliedMigration[];
  /** Data of plugins that the product does not have. */
  readonly unused: readonly (UnusedData & { readonly sentence: string })[];
}

/** Migrates the database and closes it. */
export async function migrateServer(
  content: ServerContent,
  environment: Environment = process.env,
): Promise<MigrateSummary> {
  const { config, log } = readConfiguration(environment);
  await prepareDataFolder(config);
  const database = await openDatabase(config.database, { log });
  try {
    const migrationSources = listMigrationOwners(coreParts, content.plugins);
    const appliedMigrations = await migrate(database, migrationSources);
    const unusedData = await findUnusedData(database, migrationSources);
    return {
      applied: appliedMigrations,
      unused: unusedData.map((data) => ({ ...data, sentence: describeUnusedData(data) })),
    };
  } finally {
    await database.close();
  }
}

/** Adds the rows of the demo plant through the enabled plugins, without listening. */
export async function seedServer(
  content: ServerContent,
  plant: DemoPlant,
  environment: Environment = process.env,
): Promise<void> {
  const { config, log } = readConfiguration(environment);
  await prepareDataFolder(config);
  const server = await createServer({ ...content, config, log });
  try {
    await server.seed(plant);
  } finally {
    await server.close();
  }
}

export interface CheckedProduct extends ProductReport {
  /** The report in lines, for people. */
  readonly text: string;
}

/** Checks the contents of a product. No server may use the embedded database at the same time. */
export async function checkServer(
  content: ServerContent,
  environment: Environment = process.env,
): Promise<CheckedProduct> {
  const { config, log } = readConfiguration(environment);
  await assertDatabaseExists(config);
  const server = await createServer({ ...content, config, log });
  try {
    const report = await checkContents(server);
    return { ...report, text: formatReport(report) };
  } finally {
    await server.close();
  }
}

export interface ExportOptions {
  /** Code of the site. */
  readonly site: string;
  /** An empty or missing folder. */
  readonly folder: string;
  readonly language: 'en' | 'fr';
}

/** Exports one site into a folder. No server may use the embedded database at the same time. */
export async function exportServer(
  content: ServerContent,
  { site, folder, language }: ExportOptions,
  environment: Environment = process.env,
): Promise<TransferredSite> {
  const { config, log } = readConfiguration(environment);
  await assertDatabaseExists(config);
  const server = await createServer({ ...content, config, log });
  try {
    return await server.registrar.services.find(SiteTransfers, 'core').exportTo(folder, site, language);
  } finally {
    await server.close();
  }
}

/** Writes workbooks of every kind of imports. No server may use the embedded database at the same time. */
export async function exampleServer(
  content: ServerContent,
  options: ExampleOptions,
  environment: Environment = process.env,
): Promise<readonly ExampleWorkbook[]> {
  const { config, log } = readConfiguration(environment);
  await assertDatabaseExists(config);
  const server = await createServer({ ...content, config, log });
  try {
    return await server.registrar.services.find(ExampleWorkbooks, 'core').write(options);
  } finally {
    await server.close();
  }
}

/**
 * Removes the second factor of the account with this email address. No server may use the embedded database at the same
 * time.
 */
export async function resetSecondFactorServer(
  content: ServerContent,
  username: string,
  environment: Environment = process.env,
): Promise<void> {
  const { config, log } = readConfiguration(environment);
  await assertDatabaseExists(config);
  const server = await createServer({ ...content, config, log });
  try {
    await server.registrar.services.find(SecondFactorResets, 'core').resetByUsername(username);
  } finally {
    await server.close();
  }
}

export interface ImportOptions {
  readonly folder: string;
  /** The admin who is named as the author. */
  readonly username: string;
  /** Whether only the counts of what would be added and changed are computed. */
  readonly dryRun?: boolean;
}

/**
 * Imports an exported site. No server may use the embedded database at the same time.
 *
 * @throws `ConfigurationError` if there is no active account of this name
 */
export async function importServer(
  content: ServerContent,
  { folder, username, dryRun = false }: ImportOptions,
  environment: Environment = process.env,
): Promise<TransferredSite> {
  const { config, log } = readConfiguration(environment);
  await prepareDataFolder(config);
  const server = await createServer({ ...content, config, log });
  try {
    const caller = await server.registrar.services.find(Callers, 'core').find({ username });
    if (!caller) throw new ConfigurationError(`There is no active account ${username}. Name an admin of this product.`);
    await server.start();
    return await server.registrar.services
      .find(SiteTransfers, 'core')
      .importFrom(folder, { caller, requestId: randomUUID() }, { dryRun });
  } finally {
    await server.close();
  }
}

/** Writes rows and files into one archive at `file`. No server may use the embedded database at the same time. */
export async function backupServer(
  content: ServerContent,
  file: string,
  environment: Environment = process.env,
): Promise<BackupSummary> {
  await assertArchiveWritable(file);
  await assertDatabaseExists(readValidServerConfig(environment).config);
  return withBackupContext(content, environment, (context) => writeBackup(file, context));
}

/** Restores an archive into an empty database and the file store. */
export async function restoreServer(
  content: ServerContent,
  file: string,
  environment: Environment = process.env,
): Promise<BackupSummary> {
  const archive = await verifyArchive(file);
  return withBackupContext(content, environment, (context) => restoreBackup(file, context, archive));
}

export interface DropOptions {
  /** Called before anything is removed. */
  readonly confirm: (data: PluginData) => Promise<boolean>;
  /** The file to which a backup of the whole product is written before anything is removed. */
  readonly archive?: string;
}

/**
 * Removes the data of a plugin that the product does not have; see `dropPluginData`. No server may use the embedded
 * database at the same time.
 */
export async function dropServer(
  content: ServerContent,
  plugin: string,
  { confirm, archive }: DropOptions,
  environment: Environment = process.env,
): Promise<PluginData | undefined> {
  if (archive !== undefined) await assertArchiveWritable(archive);
  await assertDatabaseExists(readValidServerConfig(environment).config);
  return withBackupContext(content, environment, async (context) => {
    await migrate(context.database, context.migrationSources);
    return dropPluginData(plugin, context, async (data) => {
      if (!(await confirm(data))) return false;
      if (archive !== undefined) await writeBackup(archive, context);
      return true;
    });
  });
}

async function withBackupContext<T>(
  content: ServerContent,
  environment: Environment,
  work: (context: BackupContext & { readonly log: Logger }) => Promise<T>,
): Promise<T> {
  const { config, log } = readConfiguration(environment);
  await prepareDataFolder(config);
  const blobs = await openBlobs(config.files);
  const database = await openDatabase(config.database, { log });
  try {
    await blobs.check();
    return await work({ database, blobs, migrationSources: listMigrationOwners(coreParts, content.plugins), log });
  } finally {
    blobs.close();
    await database.close();
  }
}

function printToStdout(text: string): void {
  process.stdout.write(`${text}\n`);
}

function readConfiguration(environment: Environment): { readonly config: ServerConfig; readonly log: Logger } {
  const { config, problems } = readValidServerConfig(environment);
  const log = createLog(config.logLevel);
  for (const { variable, sentence } of problems) log.warn({ variable }, sentence);
  // Restricts database, files and mails to this account.
  process.umask(0o077);
  return { config, log };
}

function stopOnSignals(server: WalkdownServer, { limits }: ServerConfig, log: Logger): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'Stopping.');
    setTimeout(() => {
      log.error('Open requests did not end in time and are aborted.');
      process.exit(1);
    }, limits.stopTimeoutMs).unref();
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'The server could not stop cleanly.');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
