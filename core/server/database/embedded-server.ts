import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { EmbeddedThread } from './embedded-thread.ts';

/** A thread that lived this long did not fail at start, so the next one starts at once. */
const stableMs = 60_000;
const firstDelayMs = 250;
const maxDelayMs = 30_000;

export interface EmbeddedServerOptions {
  /** Undefined: in memory. */
  readonly folder: string | undefined;
  /** Syncs each commit to the disk before acknowledging it. */
  readonly durable: boolean;
  readonly log: Logger;
  /** Called if a database in memory is lost with its thread; one in a folder is reopened. */
  readonly onLost: (error: Error) => void;
}

/**
 * Restarts the embedded database's thread when it ends. Acknowledged transactions are on the disk; running ones fail.
 * New connections wait for the next thread.
 */
export class EmbeddedServer {
  readonly #options: EmbeddedServerOptions;
  readonly #closing = new AbortController();
  #thread: Promise<EmbeddedThread>;
  #openedAt = 0;
  #failures = 0;

  private constructor(options: EmbeddedServerOptions, thread: EmbeddedThread) {
    this.#options = options;
    this.#thread = Promise.resolve(thread);
    this.#watch(thread);
  }

  /** @throws if the first thread cannot open the folder */
  static async open(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
    return new EmbeddedServer(options, await EmbeddedThread.open(options));
  }

  /** The running thread, or the next one; rejects once the database is closed. */
  thread(): Promise<EmbeddedThread> {
    return this.#thread;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const thread = await this.#thread.catch(() => undefined);
    await thread?.close();
  }

  #watch(thread: EmbeddedThread): void {
    this.#openedAt = performance.now();
    thread.once('broken', (error) => {
      const { folder, log, onLost } = this.#options;
      if (folder === undefined) {
        onLost(error);
        return;
      }
      this.#failures = performance.now() - this.#openedAt < stableMs ? this.#failures + 1 : 0;
      log.error({ err: error, folder }, 'The embedded database stopped and is opened again.');
      this.#thread = this.#reopen();
      // Callers that await it get the error; this prevents an unhandled rejection.
      this.#thread.catch(() => undefined);
    });
  }

  async #reopen(): Promise<EmbeddedThread> {
    const { signal } = this.#closing;
    for (;;) {
      if (this.#failures > 0)
        await pause(Math.min(maxDelayMs, firstDelayMs * 2 ** (this.#failures - 1)), undefined, {
          ref: false,
          signal,
        }).catch(() => undefined);
      if (signal.aborted) throw new Error('The embedded database is closed.');
      try {
        const thread = await EmbeddedThread.open(this.#options);
        this.#watch(thread);
        this.#options.log.info({ folder: this.#options.folder }, 'The embedded database is open again.');
        return thread;
      } catch (error) {
        this.#failures += 1;
        this.#options.log.error({ err: error, folder: this.#options.folder }, 'The embedded database does not open.');
      }
    }
  }
}
