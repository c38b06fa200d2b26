import type { Kysely } from 'kysely';

/** One interface over the embedded database and a PostgreSQL server. SQL must be valid for PostgreSQL 15. */
export interface Database {
  readonly kind: 'embedded' | 'postgres';
  /**
   * Tables of one Postgres schema. Start transactions by `.transaction().execute(...)`, and use only the transaction
   * inside.
   */
  of<T>(schema: string): Kysely<T>;
  /** Runs SQL that Kysely cannot express. Parameters are named `$1`, `$2` and so on. */
  query<R extends object>(sql: string, parameters?: readonly unknown[]): Promise<readonly R[]>;
  /** Notifies all processes of this database. The payload must not exceed 7,000 bytes. */
  notify(channel: string, payload: string): Promise<void>;
  /** Resolves with a function that stops listening. The listener must not throw. */
  listen(channel: string, listener: (payload: string) => void, options?: ListenOptions): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface ListenOptions {
  /** Called after a reconnect, when announcements may have been missed. Must invalidate caches. */
  readonly onMissed?: () => void;
}
