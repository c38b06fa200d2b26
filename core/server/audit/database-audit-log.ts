import { sql, type QueryExecutorProvider } from 'kysely';
import type { Clock } from '../kernel/clock.ts';
import type { AuditEntry, AuditLog } from './audit-log.ts';

export class DatabaseAuditLog implements AuditLog {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async record(
    { actor, action, subject, name, location, details, request }: AuditEntry,
    transaction: QueryExecutorProvider,
  ): Promise<void> {
    await sql`
      insert into core.audit_log (at, actor, action, subject, name, location, details, request)
      values (${new Date(this.#clock.now())}, ${actor}, ${action}, ${subject}, ${name ?? null}, ${location ?? null},
        ${JSON.stringify(details ?? {})}::jsonb, ${request ?? null})`.execute(transaction);
  }
}
