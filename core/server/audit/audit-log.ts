import type { QueryExecutorProvider } from 'kysely';
import { token } from '#core';

/** The values of `by` in the details of an entry: who or what performed the action. */
export const auditOrigins = ['admin', 'commandLine', 'logout', 'owner', 'singleSignOn'] as const;
export type AuditOrigin = (typeof auditOrigins)[number];

/** An entry of the audit log. `details` must not contain secrets. */
export interface AuditEntry {
  /** uid of the person. Null is the system itself. */
  readonly actor: string | null;
  /** The plugin or core part and the action, such as `account.invited`. */
  readonly action: string;
  /** uid of the affected object. */
  readonly subject: string;
  /** Name of the object, or the id of a plugin's message that contains the name. */
  readonly name?: string;
  /** uid of the location to which the object belongs. */
  readonly location?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Id of the request (`Call.requestId`), which log lines contain too. */
  readonly request?: string;
}

/** The append-only audit log of core and all plugins. */
export interface AuditLog {
  /** `transaction` is the one of the audited change, so that both are committed or neither. */
  record(entry: AuditEntry, transaction: QueryExecutorProvider): Promise<void>;
}
export const AuditLog = token<AuditLog>('core.AuditLog');

export interface AuditTables {
  audit_log: {
    at: Date;
    actor: string | null;
    action: string;
    subject: string;
    name: string | null;
    location: string | null;
    details: string;
    request: string | null;
  };
}
