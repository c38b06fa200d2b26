import type { Kysely } from 'kysely';

/** One interface over the embedded database and a PostgreSQL server. Write SQL that PostgreSQL 15 understands. */
export interface Database {
  readonly kind: 'embedded' | 'postgres';
  /**
   * Tables of one Postgres schema. Take a transaction with `.transaction().execute(...)` and inside it use only what it
   * hands over.
   */
  of<T>(schema: string): Kysely<T>;
  /** Raw SQL for what Kysely has no word for; `$1`-style parameters. */
  query<R extends object>(sql: string, parameters?: readonly unknown[]): Promise<readonly R[]>;
  /** Announces to all processes over this database; embedded: to this process. Payload at most 7,000 bytes. */
  notify(channel: string, payload: string): Promise<void>;
  /** Resolves when it listens; what it resolves to stops it. A listener must not throw. */
  listen(channel: string, listener: (payload: string) => void, options?: ListenOptions): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface ListenOptions {
  /** Called after a time without connection, when announcements may have been missed: forget what they keep fresh. */
  readonly missed?: () => void;
}
