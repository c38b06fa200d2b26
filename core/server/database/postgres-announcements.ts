import pg from 'pg';
import type { Logger } from 'pino';
import { toSafeError } from '../kernel/database-error.ts';
import type { ListenOptions } from './database.ts';
import type { Announcements } from './pool-database.ts';

interface Listener {
  readonly handleMessage: (payload: string) => void;
  readonly missed: (() => void) | undefined;
}

const firstPause = 100;
const maxPauseMs = 5000;

/**
 * LISTEN on a dedicated connection, created with the first listener and restored after a loss; NOTIFY through the pool.
 */
export class PostgresAnnouncements implements Announcements {
  readonly #connect: () => pg.Client;
  readonly #pool: pg.Pool;
  readonly #log: Logger;
  readonly #listeners = new Map<string, Set<Listener>>();
  #client: Promise<pg.Client> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #pause = firstPause;
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
    const entry: Listener = { handleMessage: listener, missed: options.missed };
    const existing = this.#listeners.get(channel);
    const entries = existing ?? new Set<Listener>();
    entries.add(entry);
    this.#listeners.set(channel, entries);
    this.#client ??= this.#open();
    try {
      const client = await this.#client;
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      entries.delete(entry);
      throw toSafeError(error);
    }
    return async () => {
      entries.delete(entry);
      if (entries.size > 0 || this.#closed) return;
      this.#listeners.delete(channel);
      const client = await this.#client?.catch(() => undefined);
      await client?.query(`unlisten ${pg.escapeIdentifier(channel)}`).catch(() => undefined);
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#listeners.clear();
    const client = await this.#client?.catch(() => undefined);
    await client?.end();
  }

  async #open(): Promise<pg.Client> {
    const client = this.#connect();
    client.on('notification', ({ channel, payload }) => {
      for (const listener of this.#listeners.get(channel) ?? []) listener.handleMessage(payload ?? '');
    });
    const lost = (error?: Error): void => {
      client.removeAllListeners('end');
      if (this.#closed || this.#retry) return;
      this.#log.warn(
        { reason: error?.message },
        'The connection that listens for announcements was lost; it is opened again.',
      );
      this.#retry = setTimeout(() => this.#reopen(), this.#pause);
      this.#pause = Math.min(maxPauseMs, this.#pause * 2);
    };
    client.on('error', lost);
    client.on('end', () => lost());
    try {
      await client.connect();
    } catch (error) {
      this.#client = undefined;
      throw error;
    }
    return client;
  }

  #reopen(): void {
    this.#retry = undefined;
    const opening = this.#open();
    this.#client = opening;
    opening
      .then(async (client) => {
        for (const channel of this.#listeners.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
        this.#pause = firstPause;
        for (const listeners of this.#listeners.values()) for (const listener of listeners) listener.missed?.();
      })
      .catch(() => {
        // Neither `error` nor `end` is guaranteed for a connection that was never established.
        if (!this.#closed && !this.#retry) this.#retry = setTimeout(() => this.#reopen(), this.#pause);
      });
  }
}
