import fs from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import type { Logger } from 'pino';
import { EmbeddedThread } from './embedded-thread.ts';

/** A copy of the embedded database that answers reads alone. */
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
  /** Creates the pool of connections to the thread of a copy. */
  readonly createPool: (thread: EmbeddedThread) => pg.Pool;
}

type Send<T> = (client: pg.PoolClient) => Promise<T>;

/** Statements that may only read. A copy refuses those of them that also write. */
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
  #copyCount = 0;
  #deletion: Promise<void> = Promise.resolve();

  /** `pool` has the connection to the database. */
  constructor(pool: pg.Pool, options: ReadCopiesOptions) {
    this.#pool = pool;
    this.#options = options;
  }

  /** Deletes the copies that a killed process left. */
  static deleteLeftOver(folder: string): void {
    const parent = path.dirname(folder);
    if (!fs.existsSync(parent)) return;
    for (const name of fs.readdirSync(parent))
      if (name.startsWith(`${path.basename(folder)}.reading-`))
        fs.rmSync(path.join(parent, name), { recursive: true, force: true });
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
    this.#copyCount += 1;
    const folder = `${this.#options.folder}.reading-${this.#copyCount}`;
    try {
      await client.query('checkpoint');
      await fs.promises.cp(this.#options.folder, folder, { recursive: true, mode: fs.constants.COPYFILE_FICLONE });
      const thread = await EmbeddedThread.open({ folder, durable: false, readOnly: true });
      const copy = { folder, thread, pool: this.#options.createPool(thread), running: new Set<Promise<unknown>>() };
      this.#current = copy;
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

  async #read<T>({ pool, running }: ReadCopy, send: Send<T>): Promise<T> {
    const result = runWithClient(pool.connect(), send);
    running.add(result);
    try {
      return await result;
    } catch (error) {
      if (!isReadOnlyRefusal(error)) throw error;
    } finally {
      running.delete(result);
    }
    return runWithClient(this.#pool.connect(), send);
  }
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

/** What cannot be deleted is deleted at the next start. */
async function deleteFolder(folder: string): Promise<void> {
  await fs.promises.rm(folder, { recursive: true, force: true }).catch(() => undefined);
}

const isReadOnlyRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === readOnlyTransaction;
