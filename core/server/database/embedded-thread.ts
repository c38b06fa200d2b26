import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

const timeoutMs = 10_000;

interface WorkerReply {
  readonly ready?: true;
  readonly id?: number;
  readonly chunks?: readonly Uint8Array[];
  readonly syncs?: number;
  readonly failed?: string;
  /** Why the database's code trapped; its thread ends. */
  readonly trap?: string;
}

interface PendingExchange {
  readonly resolve: (answer: WorkerReply) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The main-thread side of the embedded database: PostgreSQL protocol bytes in and out, one exchange at a time. Emits
 * `broken` at most once, if the thread ends without `close`.
 */
export class EmbeddedThread extends EventEmitter<{ broken: [Error] }> {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, PendingExchange>();
  #next = 0;
  #closing = false;
  #broken: Error | undefined;

  private constructor(worker: Worker) {
    super();
    this.#worker = worker;
    const breakDown = (error: Error): void => {
      if (this.#broken) return;
      for (const waiting of this.#waiting.values()) waiting.reject(error);
      this.#waiting.clear();
      if (this.#closing) return;
      this.#broken = error;
      this.emit('broken', error);
    };
    worker.on('message', (answer: WorkerReply) => {
      if (answer.trap === undefined) this.#take(answer);
      else breakDown(stopped(answer.trap));
    });
    worker.on('error', (error) => breakDown(stopped(error.message, error)));
    worker.on('exit', () => breakDown(new Error('The embedded database stopped without saying why.')));
  }

  /** `folder` undefined: in memory. `durable`: syncs each commit to the disk before acknowledging it. */
  static async open(options: {
    readonly folder: string | undefined;
    readonly durable: boolean;
  }): Promise<EmbeddedThread> {
    const file = new URL('./embedded-worker.mjs', import.meta.url);
    if (!fs.existsSync(file))
      throw new Error(
        `${fileURLToPath(file)} is missing: the embedded database's thread must lie beside the server's code. Build ` +
          'the product again.',
      );
    const worker = new Worker(file, { workerData: { folder: options.folder, durable: options.durable } });
    await new Promise<void>((resolve, reject) => {
      const ended = (): void => reject(new Error('It stopped while it was opened.'));
      worker.once('error', reject);
      worker.once('exit', ended);
      worker.once('message', ({ trap }: WorkerReply) => {
        worker.off('error', reject);
        worker.off('exit', ended);
        if (trap === undefined) resolve();
        else reject(stopped(trap));
      });
    });
    return new EmbeddedThread(worker);
  }

  get broken(): Error | undefined {
    return this.#broken;
  }

  async exchange(bytes: Uint8Array): Promise<readonly Uint8Array[]> {
    return (await this.#ask('exchange', bytes)).chunks ?? [];
  }

  async reset(): Promise<void> {
    await this.#ask('reset');
  }

  /** The number of file syncs since the start. */
  async syncs(): Promise<number> {
    return (await this.#ask('syncs')).syncs ?? 0;
  }

  async close(): Promise<void> {
    if (this.#closing) return;
    const closed = this.#broken ? undefined : this.#ask('close').catch(() => undefined);
    this.#closing = true;
    // Acknowledged data is on the disk already, so a hanging thread is not awaited.
    await Promise.race([closed, pause(timeoutMs, undefined, { ref: false })]);
    await this.#worker.terminate();
  }

  #ask(kind: string, bytes?: Uint8Array): Promise<WorkerReply> {
    if (this.#broken) return Promise.reject(this.#broken);
    if (this.#closing) return Promise.reject(new Error('The embedded database is closed.'));
    const id = (this.#next += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, kind, bytes });
    });
  }

  #take(answer: WorkerReply): void {
    if (answer.id === undefined) return;
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.failed === undefined) waiting?.resolve(answer);
    else waiting?.reject(new Error(answer.failed));
  }
}

function stopped(reason: string, cause?: Error): Error {
  return new Error(`The embedded database stopped: ${reason}`, { cause });
}
