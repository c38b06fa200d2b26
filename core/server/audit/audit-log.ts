import type { QueryExecutorProvider } from 'kysely';
import { token } from '#core';

/** Who did what to whom. `details` must not contain secrets. */
export interface AuditEntry {
  /** uid of the person; null for the system itself. */
  readonly actor: string | null;
  /** `<plugin or core part>.<what>`, such as `users.invited`. */
  readonly action: string;
  /** uid of the affected object. */
  readonly subject: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Id of the request (`Call.requestId`); log lines have it too. */
  readonly request?: string;
}

/** The audit log of core and all plugins; append-only. */
export interface AuditLog {
  /** `within`: the transaction of the audited change, so that both are committed or neither. */
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
