import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

const closeTimeoutMs = 10_000;

interface WorkerReply {
  readonly ready?: true;
  readonly id?: number;
  readonly chunks?: readonly Uint8Array[];
  readonly syncs?: number;
  readonly failed?: string;
  /** The reason of a trap in the database's code, after which its thread ends. */
  readonly trap?: string;
}

interface PendingExchange {
  readonly resolve: (reply: WorkerReply) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The main thread's access to the embedded database. Exchanges bytes of PostgreSQL's protocol, one exchange at a time.
 * Emits `broken` at most once, if the thread ends without `close`.
 */
export class EmbeddedThread extends EventEmitter<{ broken: [Error] }> {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingExchange>();
  #lastId = 0;
  #closing = false;
  #broken: Error | undefined;

  private constructor(worker: Worker) {
    super();
    this.#worker = worker;
    const handleBroken = (error: Error): void => {
      if (this.#broken) return;
      for (const exchange of this.#pending.values()) exchange.reject(error);
      this.#pending.clear();
      if (this.#closing) return;
      this.#broken = error;
      this.emit('broken', error);
    };
    worker.on('message', (reply: WorkerReply) => {
      if (reply.trap === undefined) this.#handleReply(reply);
      else handleBroken(createStoppedError(reply.trap));
    });
    worker.on('error', (error) => handleBroken(createStoppedError(error.message, error)));
    worker.on('exit', () => handleBroken(new Error('The embedded database stopped for an unknown reason.')));
  }

  /**
   * Without a `folder` the database is in memory. With `durable` each commit is synced to the disk before it is
   * acknowledged. With `readOnly` the folder must have a database, whose rows cannot be changed.
   */
  static async open(options: {
    readonly folder: string | undefined;
    readonly durable: boolean;
    readonly readOnly?: boolean;
  }): Promise<EmbeddedThread> {
    const file = new URL('./embedded-worker.mjs', import.meta.url);
    if (!fs.existsSync(file))
      throw new Error(
        `${fileURLToPath(file)} is missing: the code of the embedded database must be next to the server's code. ` +
          'Build the product again.',
      );
    const worker = new Worker(file, {
      workerData: { folder: options.folder, durable: options.durable, readOnly: options.readOnly },
    });
    await new Promise<void>((resolve, reject) => {
      const handleExit = (): void => reject(new Error('It stopped while it was opened.'));
      worker.once('error', reject);
      worker.once('exit', handleExit);
      worker.once('message', ({ trap }: WorkerReply) => {
        worker.off('error', reject);
        worker.off('exit', handleExit);
        if (trap === undefined) resolve();
        else reject(createStoppedError(trap));
      });
    });
    return new EmbeddedThread(worker);
  }

  get broken(): Error | undefined {
    return this.#broken;
  }

  async exchange(bytes: Uint8Array): Promise<readonly Uint8Array[]> {
    return (await this.#request('exchange', bytes)).chunks ?? [];
  }

  async reset(): Promise<void> {
    await this.#request('reset');
  }

  /** The number of file syncs since the start. */
  async syncs(): Promise<number> {
    return (await this.#request('syncs')).syncs ?? 0;
  }

  async close(): Promise<void> {
    if (this.#closing) return;
    const closeReply = this.#broken ? undefined : this.#request('close').catch(() => undefined);
    this.#closing = true;
    // Acknowledged data is on the disk, so a hanging thread need not be awaited.
    await Promise.race([closeReply, pause(closeTimeoutMs, undefined, { ref: false })]);
    await this.#worker.terminate();
  }

  #request(kind: string, bytes?: Uint8Array): Promise<WorkerReply> {
    if (this.#broken) return Promise.reject(this.#broken);
    if (this.#closing) return Promise.reject(new Error('The embedded database is closed.'));
    const id = (this.#lastId += 1);
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#worker.postMessage({ id, kind, bytes });
    });
  }

  #handleReply(reply: WorkerReply): void {
    if (reply.id === undefined) return;
    const exchange = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (reply.failed === undefined) exchange?.resolve(reply);
    else exchange?.reject(new Error(reply.failed));
  }
}

function createStoppedError(reason: string, cause?: Error): Error {
  return new Error(`The embedded database stopped: ${reason}`, { cause });
}
