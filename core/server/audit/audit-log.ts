import type { QueryExecutorProvider } from 'kysely';
import { token } from '#core';

/** Who did what to whom. `details` hold no secrets. */
export interface AuditEntry {
  /** uid of the person; null for the system itself. */
  readonly actor: string | null;
  /** `<plugin or core part>.<what>`, such as `users.invited`. */
  readonly action: string;
  /** uid of what it was done to. */
  readonly subject: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Id of the request in which it was done (`Call.requestId`); the log names it too. */
  readonly request?: string;
}

/** The audit log of all parts and plugins: rows are only ever added. */
export interface AuditLog {
  /** `within`: the transaction of the deed itself, so that neither is kept without the other. */
  record(entry: AuditEntry, within: QueryExecutorProvider): Promise<void>;
}
export const AuditLog = token<AuditLog>('core.AuditLog');

export interface AuditTables {
  audit_log: {
    at: Date;
    actor: string | null;
    action: string;
    subject: string;
    details: string;
    request: string | null;
  };
}
