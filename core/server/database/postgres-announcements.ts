import pg from 'pg';
import type { Logger } from 'pino';
import { toSafeError } from '../kernel/database-error.ts';
import type { ListenOptions } from './database.ts';
import type { Announcements } from './pool-database.ts';

interface Listener {
  readonly handleMessage: (payload: string) => void;
  readonly onMissed: (() => void) | undefined;
}

const firstDelayMs = 100;
const maxDelayMs = 5000;

/**
 * Listens on a dedicated connection, which is opened for the first listener and again after a loss. Notifies through
 * the pool.
 */
export class PostgresAnnouncements implements Announcements {
  readonly #connect: () => pg.Client;
  readonly #pool: pg.Pool;
  readonly #log: Logger;
  readonly #listeners = new Map<string, Set<Listener>>();
  #client: Promise<pg.Client> | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  #delayMs = firstDelayMs;
  #closed = false;

  constructor(pool: pg.Pool, connect: () => pg.Client, log: Logger) {
    this.#pool = pool;
    this.#connect = connect;
    this.#log = log;
  }

  async notify(channel: string, payload: string): Promise<void> {
    try {
      await this.#pool.query('select pg_notify($1, $2)', [channel, payload]);
    } catch (error) {
      throw toSafeError(error);
    }
  }

  async listen(
    channel: string,
    listener: (payload: string) => void,
    options: ListenOptions,
  ): Promise<() => Promise<void>> {
    const listenerEntry: Listener = { handleMessage: listener, onMissed: options.onMissed };
    const existingEntries = this.#listeners.get(channel);
    const entries = existingEntries ?? new Set<Listener>();
    entries.add(listenerEntry);
    this.#listeners.set(channel, entries);
    this.#client ??= this.#open();
    try {
      const client = await this.#client;
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      entries.delete(listenerEntry);
      throw toSafeError(error);
    }
    return async () => {
      entries.delete(listenerEntry);
      if (entries.size > 0 || this.#closed) return;
      this.#listeners.delete(channel);
      const client = await this.#client?.catch(() => undefined);
      await client?.query(`unlisten ${pg.escapeIdentifier(channel)}`).catch(() => undefined);
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retryTimer);
    this.#listeners.clear();
    const client = await this.#client?.catch(() => undefined);
    await client?.end();
  }

  async #open(): Promise<pg.Client> {
    const client = this.#connect();
    client.on('notification', ({ channel, payload }) => {
      for (const listener of this.#listeners.get(channel) ?? []) listener.handleMessage(payload ?? '');
    });
    const handleLoss = (error?: Error): void => {
      client.removeAllListeners('end');
      if (this.#closed || this.#retryTimer) return;
      this.#log.warn(
        { reason: error?.message },
        'The connection that listens for announcements was lost. It is opened again.',
      );
      this.#retryTimer = setTimeout(() => this.#reopen(), this.#delayMs);
      this.#delayMs = Math.min(maxDelayMs, this.#delayMs * 2);
    };
    client.on('error', handleLoss);
    client.on('end', () => handleLoss());
    try {
      await client.connect();
    } catch (error) {
      this.#client = undefined;
      throw error;
    }
    return client;
  }

  #reopen(): void {
    this.#retryTimer = undefined;
    const opening = this.#open();
    this.#client = opening;
    opening
      .then(async (client) => {
        for (const channel of this.#listeners.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
        this.#delayMs = firstDelayMs;
        for (const listeners of this.#listeners.values()) for (const listener of listeners) listener.onMissed?.();
      })
      .catch(() => {
        // A connection that was never established may emit neither `error` nor `end`.
        if (!this.#closed && !this.#retryTimer) this.#retryTimer = setTimeout(() => this.#reopen(), this.#delayMs);
      });
  }
}
