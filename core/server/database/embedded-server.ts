import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { EmbeddedThread } from './embedded-thread.ts';

/** After a thread that ran for this long, the next one starts without a delay. */
const stableMs = 60_000;
const firstDelayMs = 250;
const maxDelayMs = 30_000;

export interface EmbeddedServerOptions {
  /** Undefined for a database in memory. */
  readonly folder: string | undefined;
  /** Syncs each commit to the disk before acknowledging it. */
  readonly durable: boolean;
  readonly log: Logger;
  /** Called if a database in memory is lost with its thread. A database in a folder is opened again. */
  readonly onLost: (error: Error) => void;
}

/**
 * Restarts the embedded database's thread when it ends. Running transactions fail; acknowledged ones are on the disk.
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

  /** Resolves with the running thread, or with the next one. Rejects once the database is closed. */
  getThread(): Promise<EmbeddedThread> {
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
      // Callers of `getThread` get the error. This prevents an unhandled rejection.
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
        this.#options.log.error(
          { err: error, folder: this.#options.folder },
          'The embedded database could not be opened.',
        );
      }
    }
  }
}
