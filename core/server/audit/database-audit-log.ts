import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Clock } from '../kernel/clock.ts';
import type { AuditEntry, AuditLog, AuditTables } from './audit-log.ts';

export class DatabaseAuditLog implements AuditLog {
  readonly #tables: Kysely<AuditTables>;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#tables = database.of<AuditTables>('core');
    this.#clock = clock;
  }

  async record(entry: AuditEntry): Promise<void> {
    await this.#tables
      .insertInto('audit_log')
      .values({ at: new Date(this.#clock.now()), actor: entry.actor, action: entry.action, subject: entry.subject, details: JSON.stringify(entry.details ?? {}) })
      .execute();
  }
}
