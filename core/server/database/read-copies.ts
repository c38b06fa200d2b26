import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import type { Logger } from 'pino';
import { EmbeddedThread } from './embedded-thread.ts';

/** A copy of the embedded database that answers only reads. */
interface ReadCopy {
  readonly folder: string;
  readonly thread: EmbeddedThread;
  readonly pool: pg.Pool;
  readonly running: Set<Promise<unknown>>;
}

export interface ReadCopiesOptions {
  /** The folder of the database. Its copies are next to it. */
  readonly folder: string;
  readonly log: Logger;
  /** Creates the pool of connections to a copy. */
  readonly createPool: (threads: { readonly getThread: () => Promise<EmbeddedThread> }) => pg.Pool;
}

type Send<T> = (client: pg.PoolClient) => Promise<T>;

/** Statements that probably only read. A copy refuses those that write, too. */
const maybeRead = /^\s*(?:select|with)\b/i;
/** SQLSTATE `read_only_sql_transaction`. */
const readOnlyTransaction = '25006';

/**
 * Answers reads while a large transaction occupies the one session of the embedded database. The transaction has the
 * database copied before its first write. Nobody else can commit until it ends, so the copy has the committed state.
 */
export class ReadCopies {
  readonly #options: ReadCopiesOptions;
  readonly #pool: pg.Pool;
  #current: ReadCopy | undefined;
  /** Reads that wait for the session, and use a copy if it opens first. */
  readonly #waiting = new Set<(copy: ReadCopy) => void>();
  #deletion: Promise<void> = Promise.resolve();

  /** `pool` has the connection to the database. */
  constructor(pool: pg.Pool, options: ReadCopiesOptions) {
    this.#pool = pool;
    this.#options = options;
  }

  /** Deletes the copies that a killed process left. */
  async deleteLeftOver(): Promise<void> {
    const { folder, log } = this.#options;
    const parent = path.dirname(folder);
    try {
      for (const name of await fs.promises.readdir(parent))
        if (name.startsWith(`${path.basename(folder)}.reading-`))
          await fs.promises.rm(path.join(parent, name), { recursive: true, force: true });
    } catch (error) {
      log.warn({ err: error, folder: parent }, 'A copy of the database that is not used any more was not deleted.');
    }
  }

  /**
   * Copies the database in the open transaction of `client`. If that fails, for example for lack of disk space, reads
   * wait for the end of the transaction.
   *
   * @throws if the transaction has written
   */
  async open(client: pg.PoolClient): Promise<void> {
    if (this.#current) return;
    const { rows } = await client.query<{ hasWritten: boolean }>(
      'select pg_current_xact_id_if_assigned() is not null as "hasWritten"',
    );
    if (rows[0]?.hasWritten !== false) throw new Error('A transaction must announce many rows before its first write.');
    const folder = `${this.#options.folder}.reading-${randomUUID()}`;
    try {
      // The folder may be a symbolic link. A copy of the link would be the database itself.
      const source = await fs.promises.realpath(this.#options.folder);
      await client.query('checkpoint');
      await assertSpace(source);
      await fs.promises.cp(source, folder, {
        recursive: true,
        dereference: true,
        mode: fs.constants.COPYFILE_FICLONE,
      });
      const thread = await EmbeddedThread.open({ folder, durable: false, readOnly: true });
      const pool = this.#options.createPool({ getThread: () => Promise.resolve(thread) });
      // The user of a busy client gets its error from the next statement.
      pool.on('connect', (connected) => connected.on('error', () => undefined));
      const copy = { folder, thread, pool, running: new Set<Promise<unknown>>() };
      this.#current = copy;
      thread.once('broken', (error) => {
        this.#options.log.warn(
          { err: error, folder },
          'Reads wait for a large change: the copy of the database stopped.',
        );
        if (this.#current === copy) this.close();
      });
      for (const handleOpen of this.#waiting) handleOpen(copy);
    } catch (error) {
      this.#options.log.warn({ err: error, folder }, 'Reads wait for a large change: the database was not copied.');
      await deleteFolder(folder);
    }
  }

  /** Ends the use of the copy. It is deleted after its last read. */
  close(): void {
    const copy = this.#current;
    if (!copy) return;
    this.#current = undefined;
    this.#deletion = Promise.all([this.#deletion, deleteCopy(copy)]).then(() => undefined);
  }

  /** Resolves when all copies are deleted. */
  async finish(): Promise<void> {
    this.close();
    await this.#deletion;
  }

  /**
   * Runs a statement that is not in a transaction. One that only reads uses a copy if the session is not free before a
   * copy is open.
   */
  async run<T>(statement: string, send: Send<T>): Promise<T> {
    const isRead = maybeRead.test(statement);
    if (isRead && this.#current) return this.#read(this.#current, send);
    const connected = this.#pool.connect();
    if (!isRead || this.#pool.waitingCount === 0) return runWithClient(connected, send);
    const copy = await this.#waitForCopy(connected);
    if (!copy) return runWithClient(connected, send);
    connected.then((client) => client.release()).catch(() => undefined);
    return this.#read(copy, send);
  }

  /** Resolves with a copy, or with undefined if the connection is available before. */
  async #waitForCopy(connected: Promise<unknown>): Promise<ReadCopy | undefined> {
    let handleOpen: (copy: ReadCopy) => void = () => undefined;
    const opened = new Promise<ReadCopy>((resolve) => {
      handleOpen = resolve;
      this.#waiting.add(resolve);
    });
    try {
      return await Promise.race([opened, connected.then(() => undefined)]);
    } finally {
      this.#waiting.delete(handleOpen);
    }
  }

  async #read<T>({ pool, running, thread }: ReadCopy, send: Send<T>): Promise<T> {
    const result = runWithClient(pool.connect(), send);
    running.add(result);
    try {
      return await result;
    } catch (error) {
      if (!isReadOnlyRefusal(error) && !thread.broken) throw error;
    } finally {
      running.delete(result);
    }
    return runWithClient(this.#pool.connect(), send);
  }
}

/** @throws if the disk has less free space than the copy and as much again, which the transaction may write */
async function assertSpace(folder: string): Promise<void> {
  const names = await fs.promises.readdir(folder, { recursive: true });
  const sizes = await Promise.all(names.map(async (name) => (await fs.promises.stat(path.join(folder, name))).size));
  const copiedBytes = sizes.reduce((sum, size) => sum + size, 0);
  const { bavail, bsize } = await fs.promises.statfs(folder);
  if (bavail * bsize < 2 * copiedBytes)
    throw new Error(`Its disk has ${bavail * bsize} bytes left, and a copy takes ${copiedBytes} bytes.`);
}

/** Runs `send`, and releases the connection. A failed statement leaves it usable. */
export async function runWithClient<T>(connected: Promise<pg.PoolClient>, send: Send<T>): Promise<T> {
  const client = await connected;
  try {
    return await send(client);
  } finally {
    client.release();
  }
}

async function deleteCopy({ folder, thread, pool, running }: ReadCopy): Promise<void> {
  await Promise.allSettled(running);
  await pool.end().catch(() => undefined);
  await thread.close();
  await deleteFolder(folder);
}

/** A folder that cannot be deleted now is deleted at the next start. */
async function deleteFolder(folder: string): Promise<void> {
  await fs.promises.rm(folder, { recursive: true, force: true }).catch(() => undefined);
}

const isReadOnlyRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === readOnlyTransaction;
