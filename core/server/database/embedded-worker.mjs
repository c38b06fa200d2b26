// The worker thread of the embedded database. Plain JavaScript: Node runs it from source, or next to the bundled server
// (`embedded-worker.mjs`, see start.ts). Each message holds complete PostgreSQL protocol messages up to a Sync; the
// reply holds the database's bytes.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';

const { folder, durable } = workerData;
let syncs = 0;
/** Permissions of group and others. */
const others = 0o077;

/**
 * PGlite disables fsync (`-F`), and its file system has none. Both are fixed here, and `checkSync` verifies it at each
 * start. A database that need not be durable opens small and in half the time.
 */
function startParameters() {
  if (!durable) return [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'];
  return [...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'), '-c', 'wal_sync_method=fsync'];
}

/**
 * PGlite loads extensions concurrently at start, which can leave one incomplete so that its queries trap. This
 * Emscripten option loads each at its first use.
 */
const linkedOnUse = {
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

async function open(place) {
  const database = await PGlite.create(place, {
    extensions: { linkedOnUse, pg_trgm },
    startParams: startParameters(),
  });
  endOnTrap(database);
  if (place !== undefined) restrictAccess(database, place);
  if (durable) {
    const operations = database.Module.FS.lookupPath('/pglite/data').node.mount.type.stream_ops;
    operations.fsync = (stream) => {
      syncs += 1;
      fs.fsyncSync(stream.nfd);
      return 0;
    };
  }
  return database;
}

/** PGlite creates files with mode 0666, regardless of the umask. */
function restrictAccess(database, place) {
  const { node_ops: nodes, stream_ops: streams } = database.Module.FS.lookupPath('/pglite/data').node.mount.type;
  for (const operations of [nodes, streams]) {
    const { setattr } = operations;
    operations.setattr = (target, attributes) => {
      if (attributes.mode === undefined) return setattr(target, attributes);
      const { mode, ...rest } = attributes;
      ifPermitted(place, () => setattr(target, { ...rest, mode: mode & ~others }));
    };
  }
  closeTree(place);
}

/**
 * The folder may be writable but owned by another user, or on a file system without permissions: both are accepted.
 * PGlite's errors carry Emscripten's numbers, Node's their names.
 */
const rightsRefused = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EROFS', 63, 138, 69]);
let warned = false;

function ifPermitted(place, change) {
  try {
    change();
  } catch (error) {
    const code = error.code ?? error.errno;
    if (!rightsRefused.has(code)) throw error;
    if (!warned)
      process.emitWarning(
        `The embedded database in ${place} cannot be closed to other accounts (${code}). Give the folder to the ` +
          'account that runs the server, or guard the folder above it.',
      );
    warned = true;
  }
}

function closeTree(place) {
  const { mode } = fs.statSync(place);
  if ((mode & others) !== 0) ifPermitted(place, () => fs.chmodSync(place, mode & ~others & 0o777));
  for (const entry of fs.readdirSync(place, { withFileTypes: true })) {
    const below = path.join(place, entry.name);
    if (entry.isDirectory()) closeTree(below);
    else if (entry.isFile()) {
      const file = fs.statSync(below).mode;
      if ((file & others) !== 0) ifPermitted(place, () => fs.chmodSync(below, file & ~others & 0o777));
    }
  }
}

async function checkSync(database) {
  const before = syncs;
  await database.exec("select pg_logical_emit_message(true, 'walkdown', 'is a commit written through to the disk?')");
  if (syncs === before)
    throw new Error('A commit of the embedded database was not written through to the disk (no fsync was seen).');
}

/** A single sync of the file system takes a tenth of the time of syncing a thousand small files. */
function syncAll(place) {
  try {
    execFileSync('sync', ['-f', place], { stdio: 'ignore' });
  } catch {
    syncTree(place);
  }
}

function syncTree(place) {
  for (const entry of fs.readdirSync(place, { withFileTypes: true })) {
    const below = path.join(place, entry.name);
    if (entry.isDirectory()) syncTree(below);
    else if (entry.isFile()) syncOne(below);
  }
  syncOne(place);
}

function syncOne(place) {
  const descriptor = fs.openSync(place, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Creates the database in a temporary folder and renames it once complete: a kill leaves no partial database. */
async function make(place) {
  const unfinished = `${place}.unfinished`;
  fs.rmSync(unfinished, { recursive: true, force: true });
  const database = await open(unfinished);
  await database.close();
  if (durable) syncAll(unfinished);
  fs.renameSync(unfinished, place);
  if (durable) syncOne(path.dirname(place));
}

async function start() {
  if (folder === undefined) return open(undefined);
  if (!fs.existsSync(path.join(folder, 'PG_VERSION'))) {
    fs.rmSync(folder, { recursive: true, force: true });
    await make(folder);
  }
  const database = await open(folder);
  if (durable) await checkSync(database);
  return database;
}

function answer(id, chunks) {
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
  answer(id, chunks);
}

/** Emscripten's file system errors are no `Error` and have their own numbers. */
const errorNumbers = { 2: 'EACCES', 19: 'EDQUOT', 29: 'EIO', 33: 'EMFILE', 51: 'ENOSPC', 63: 'EPERM', 69: 'EROFS' };

function toError(thrown) {
  if (thrown instanceof Error) return thrown;
  const code = errorNumbers[thrown?.errno] ?? `error ${thrown?.errno ?? String(thrown)}`;
  return Object.assign(new Error(`a file could not be written or read (${code})`), { code });
}

const database = await start().catch((error) => {
  throw toError(error);
});

const tasks = {
  exchange,
  /** Resets the single session, so that a new connection finds it fresh. */
  reset: async ({ id }) => {
    await database.exec('rollback');
    await database.exec('discard all');
    answer(id, []);
  },
  syncs: async ({ id }) => parentPort.postMessage({ id, syncs }),
  close: async ({ id }) => {
    await database.close();
    parentPort.postMessage({ id });
    parentPort.close();
  },
};

async function perform(message) {
  try {
    await tasks[message.kind](message);
  } catch (error) {
    parentPort.postMessage({ id: message.id, failed: toError(error).message });
  }
}

let last = Promise.resolve();
parentPort.on('message', (message) => {
  last = last.then(() => perform(message));
});
parentPort.postMessage({ ready: true });
