import pg from 'pg';
import type { Logger } from 'pino';
import { isDiskFull } from '../kernel/disk-space.ts';
import type { ServerConfig } from '../kernel/server-config.ts';
import { DataFolderLock } from './data-folder-lock.ts';
import { EmbeddedServer } from './embedded-server.ts';
import { EmbeddedStream } from './embedded-stream.ts';
import { createLocalAnnouncements } from './local-announcements.ts';
import { PoolDatabase } from './pool-database.ts';
import { PostgresAnnouncements } from './postgres-announcements.ts';
import { ReadCopies } from './read-copies.ts';

export interface OpenDatabaseOptions {
  readonly log: Logger;
  /** Called at most once, if an embedded database in memory is lost. */
  readonly onLost?: (error: Error) => void;
  /** False only in tests. The embedded database then does not sync commits to the disk. */
  readonly durable?: boolean;
  /**
   * Refuses queries that bypass their transaction. Always on for the embedded database, where such a query would
   * deadlock. On PostgreSQL only tests enable it, because it takes a tenth of the time of a small request.
   */
  readonly checked?: boolean;
}

/** Changes and transactions wait for the one connection, which a change of 100,000 rows occupies for about a minute. */
const embeddedWaitMs = 180_000;

const typeIds = { int8: 20, date: 1082 } as const;
const typeParsers = pg.types.getTypeParser.bind(pg.types);

/**
 * The types of values of both databases: int8 is a number (counts and ids stay below 2^53), date is `YYYY-MM-DD`,
 * timestamptz is a Date, and numeric is a string.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === typeIds.int8) return Number;
    if (oid === typeIds.date) return (value: string) => value;
    return format === 'binary' ? typeParsers(oid, 'binary') : typeParsers(oid, 'text');
  }) as typeof pg.types.getTypeParser,
};

/**
 * Opens the configured database.
 *
 * @throws an error for operators if another process uses the data folder or the server is unreachable
 */
export async function openDatabase(
  config: ServerConfig['database'],
  options: OpenDatabaseOptions,
): Promise<PoolDatabase> {
  return config.kind === 'embedded'
    ? openEmbedded(config.folder, options)
    : openPostgres(config.url.reveal(), config.connections, options);
}

async function openEmbedded(folder: string, options: OpenDatabaseOptions): Promise<PoolDatabase> {
  const inMemory = folder === 'memory';
  const lock = inMemory
    ? undefined
    : await DataFolderLock.acquire(folder).catch((error: unknown) => {
        throw isDiskFull(error) ? createOpenError(folder, error) : error;
      });
  let server: EmbeddedServer;
  try {
    server = await EmbeddedServer.open({
      folder: inMemory ? undefined : folder,
      durable: !inMemory && options.durable !== false,
      log: options.log,
      onLost: (error) => options.onLost?.(error),
    });
  } catch (error) {
    lock?.release();
    throw createOpenError(folder, error);
  }
  const createPool = (threads: Pick<EmbeddedServer, 'getThread'>): pg.Pool => {
    const pool = new pg.Pool({
      user: 'postgres',
      max: 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: embeddedWaitMs,
      types,
      stream: () => new EmbeddedStream(threads),
    });
    pool.on('error', (error) =>
      options.log.error({ reason: error.message }, 'The connection to the embedded database was lost.'),
    );
    return pool;
  };
  const pool = createPool(server);
  const copies = inMemory ? undefined : new ReadCopies(pool, { folder, log: options.log, createPool });
  await copies?.deleteLeftOver();
  return new PoolDatabase({
    kind: 'embedded',
    checked: true,
    pool,
    ...(copies ? { copies } : {}),
    announcements: createLocalAnnouncements(),
    release: async () => {
      await server.close();
      lock?.release();
    },
  });
}

function createOpenError(folder: string, cause: unknown): Error {
  let reason = cause instanceof Error ? cause.message : String(cause);
  if (isDiskFull(cause))
    reason = 'its disk is full. Free some space, or set WALKDOWN_DATA to a folder on another disk.';
  return new Error(`The embedded database in ${folder} could not be opened: ${reason}`, { cause });
}

async function openPostgres(url: string, connections: number, options: OpenDatabaseOptions): Promise<PoolDatabase> {
  const clientConfig = {
    connectionString: url,
    application_name: 'walkdown',
    types,
    keepAlive: true,
    connectionTimeoutMillis: 5000,
  };
  const pool = new pg.Pool({
    ...clientConfig,
    max: connections,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
  });
  pool.on('error', (error) =>
    options.log.warn({ reason: error.message }, 'An idle connection to PostgreSQL was lost.'),
  );
  const announcements = new PostgresAnnouncements(
    pool,
    () => new pg.Client({ ...clientConfig, application_name: 'walkdown listener' }),
    options.log,
  );
  // Created before the first connection, because without its error listener a connection error ends the process.
  const database = new PoolDatabase({
    kind: 'postgres',
    checked: options.checked ?? false,
    pool,
    announcements,
    release: async () => undefined,
  });
  try {
    assertEncoding(await readEncoding(pool));
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

async function readEncoding(pool: pg.Pool): Promise<string | undefined> {
  try {
    const { rows } = await pool.query<{ encoding: string }>("select current_setting('server_encoding') as encoding");
    return rows[0]?.encoding;
  } catch (error) {
    throw new Error(
      `PostgreSQL could not be reached: ${error instanceof Error ? error.message : String(error)}. Check ` +
        'DATABASE_URL, and that the server runs.',
    );
  }
}

/** The required encoding. Any other encoding rejects names in other scripts or, like SQL_ASCII, accepts invalid text. */
function assertEncoding(encoding: string | undefined): void {
  if (encoding === 'UTF8') return;
  throw new Error(
    `The database that DATABASE_URL names has the encoding ${encoding} instead of UTF8. Create another one with ` +
      "`create database acme owner acme encoding 'UTF8' template template0`, and name it in DATABASE_URL.",
  );
}
