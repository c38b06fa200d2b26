// The worker thread of the embedded database. Plain JavaScript: Node runs it from source, or next to the bundled server
// (`embedded-worker.mjs`, see start.ts). Each request contains complete messages of PostgreSQL's protocol up to a Sync;
// the reply contains the database's bytes.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';

const { folder, durable, readOnly } = workerData;
let syncCount = 0;
/** The permission bits of group and others. */
const groupAndOthers = 0o077;

/**
 * PGlite disables fsync (`-F`), and its file system has no fsync. This file enables both, and `checkSync` verifies it
 * at each start. A database that need not be durable uses less memory and opens in half the time.
 */
function startParameters() {
  const readOnlyParameters = readOnly ? ['-c', 'default_transaction_read_only=on'] : [];
  if (!durable) return [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB', ...readOnlyParameters];
  return [...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'), '-c', 'wal_sync_method=fsync'];
}

/**
 * PGlite loads extensions concurrently at start, which can leave an extension incomplete, so that its queries trap.
 * This Emscripten option loads each extension at its first use.
 */
const linkedOnFirstUse = {
  name: 'linked on use',
  setup: async (_database, options) => ({ emscriptenOpts: { ...options, noWasmDecoding: true } }),
};

/** The functions of the database module that PGlite calls for an exchange. */
const entryPoints = [
  '_PostgresMainLoopOnce',
  '_PostgresMainLongJmp',
  '_PostgresSendReadyForQueryIfNecessary',
  '_pgl_pq_flush',
];

/**
 * PostgreSQL reports errors by long jumps only. After any other exception (trap, stack overflow) its memory cannot be
 * trusted, but PGlite would continue and could commit a part of a statement. So the thread ends.
 */
function endOnTrap({ Module: module, POSTGRES_MAIN_LONGJMP: longJump }) {
  for (const name of entryPoints) {
    const call = module[name];
    module[name] = (...values) => {
      try {
        return call(...values);
      } catch (error) {
        if (error.status === longJump) throw error;
        parentPort.postMessage({ trap: toError(error).message });
        return process.exit(1);
      }
    };
  }
}

async function openDatabase(databaseFolder) {
  const database = await PGlite.create(databaseFolder, {
    extensions: { linkedOnFirstUse, btree_gin, pg_trgm },
    startParams: startParameters(),
  });
  endOnTrap(database);
  if (databaseFolder !== undefined) restrictAccess(database, databaseFolder);
  if (durable) {
    const operations = database.Module.FS.lookupPath('/pglite/data').node.mount.type.stream_ops;
    operations.fsync = (stream) => {
      syncCount += 1;
      fs.fsyncSync(stream.nfd);
      return 0;
    };
  }
  return database;
}

/** PGlite creates files with mode 0666, regardless of the umask. */
function restrictAccess(database, databaseFolder) {
  const { node_ops: nodes, stream_ops: streams } = database.Module.FS.lookupPath('/pglite/data').node.mount.type;
  for (const operations of [nodes, streams]) {
    const { setattr } = operations;
    operations.setattr = (target, attributes) => {
      if (attributes.mode === undefined) return setattr(target, attributes);
      const { mode, ...rest } = attributes;
      ifPermitted(databaseFolder, () => setattr(target, { ...rest, mode: mode & ~groupAndOthers }));
    };
  }
  restrictTree(databaseFolder);
}

/**
 * Accepts a folder that is owned by another user, or on a file system without permissions. PGlite reports error numbers
 * of Emscripten, Node reports names.
 */
const permissionErrors = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EROFS', 63, 138, 69]);
let warned = false;

function ifPermitted(databaseFolder, change) {
  try {
    change();
  } catch (error) {
    const code = error.code ?? error.errno;
    if (!permissionErrors.has(code)) throw error;
    if (!warned)
      process.emitWarning(
        `The embedded database in ${databaseFolder} is accessible to other accounts (${code}). Make the account that runs ` +
          'the server the owner of the folder, or restrict the access to its parent folder.',
      );
    warned = true;
  }
}

function restrictTree(databaseFolder) {
  const { mode } = fs.statSync(databaseFolder);
  if ((mode & groupAndOthers) !== 0)
    ifPermitted(databaseFolder, () => fs.chmodSync(databaseFolder, mode & ~groupAndOthers & 0o777));
  for (const entry of fs.readdirSync(databaseFolder, { withFileTypes: true })) {
    const entryPath = path.join(databaseFolder, entry.name);
    if (entry.isDirectory()) restrictTree(entryPath);
    else if (entry.isFile()) {
      const fileMode = fs.statSync(entryPath).mode;
      if ((fileMode & groupAndOthers) !== 0)
        ifPermitted(databaseFolder, () => fs.chmodSync(entryPath, fileMode & ~groupAndOthers & 0o777));
    }
  }
}

async function checkSync(database) {
  const syncCountBefore = syncCount;
  await database.exec("select pg_logical_emit_message(true, 'walkdown', 'is a commit synced to the disk?')");
  if (syncCount === syncCountBefore)
    throw new Error('A commit of the embedded database was not synced to the disk (fsync was not called).');
}

/** Syncing the file system once takes a tenth of the time of syncing a thousand small files. */
function syncAll(databaseFolder) {
  try {
    execFileSync('sync', ['-f', databaseFolder], { stdio: 'ignore' });
  } catch {
    syncTree(databaseFolder);
  }
}

function syncTree(databaseFolder) {
  for (const entry of fs.readdirSync(databaseFolder, { withFileTypes: true })) {
    const entryPath = path.join(databaseFolder, entry.name);
    if (entry.isDirectory()) syncTree(entryPath);
    else if (entry.isFile()) syncOne(entryPath);
  }
  syncOne(databaseFolder);
}

function syncOne(fileOrFolder) {
  const descriptor = fs.openSync(fileOrFolder, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Creates the database in a temporary folder and renames it, so that a kill leaves no partial database. */
async function createDatabase(databaseFolder) {
  const unfinishedFolder = `${databaseFolder}.unfinished`;
  fs.rmSync(unfinishedFolder, { recursive: true, force: true });
  const database = await openDatabase(unfinishedFolder);
  await database.close();
  if (durable) syncAll(unfinishedFolder);
  fs.renameSync(unfinishedFolder, databaseFolder);
  if (durable) syncOne(path.dirname(databaseFolder));
}

async function start() {
  if (folder === undefined) return openDatabase(undefined);
  if (!fs.existsSync(path.join(folder, 'PG_VERSION'))) {
    if (readOnly) throw new Error(`There is no database in ${folder}.`);
    fs.rmSync(folder, { recursive: true, force: true });
    await createDatabase(folder);
  }
  const database = await openDatabase(folder);
  if (durable) await checkSync(database);
  return database;
}

function reply(id, chunks) {
  parentPort.postMessage(
    { id, chunks },
    chunks.map(({ buffer }) => buffer),
  );
}

/**
 * PGlite's `execProtocolRaw` also parses the replies and retains them for ever (0.5.16). Each chunk is a view of the
 * database's memory, which the next chunk overwrites.
 */
async function exchange({ id, bytes }) {
  const chunks = [];
  await database.execProtocolRawStream(bytes, { onRawData: (chunk) => chunks.push(chunk.slice()) });
  reply(id, chunks);
}

/** File system errors of Emscripten are not of type `Error` and have their own numbers. */
const errorNumbers = { 2: 'EACCES', 19: 'EDQUOT', 29: 'EIO', 33: 'EMFILE', 51: 'ENOSPC', 63: 'EPERM', 69: 'EROFS' };

function toError(thrownValue) {
  if (thrownValue instanceof Error) return thrownValue;
  const code = errorNumbers[thrownValue?.errno] ?? `error ${thrownValue?.errno ?? String(thrownValue)}`;
  return Object.assign(new Error(`a file could not be written or read (${code})`), { code });
}

const database = await start().catch((error) => {
  throw toError(error);
});

const handlers = {
  exchange,
  /** Resets the single session for a new connection. */
  reset: async ({ id }) => {
    await database.exec('rollback');
    await database.exec('discard all');
    reply(id, []);
  },
  syncs: async ({ id }) => parentPort.postMessage({ id, syncs: syncCount }),
  close: async ({ id }) => {
    await database.close();
    parentPort.postMessage({ id });
    parentPort.close();
  },
};

async function handle(message) {
  try {
    await handlers[message.kind](message);
  } catch (error) {
    parentPort.postMessage({ id: message.id, failed: toError(error).message });
  }
}

let previousMessages = Promise.resolve();
parentPort.on('message', (message) => {
  previousMessages = previousMessages.then(() => handle(message));
});
parentPort.postMessage({ ready: true });
