import { token } from '#core';
import type { AccessChanges } from '../access/access-changes.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Database } from '../database/database.ts';
import type { Clock } from '../kernel/clock.ts';
import type { AuthTables } from './auth-tables.ts';

/** The sessions of all people. */
export interface OpenSessions {
  /**
   * Ends all sessions but those of the actor, and records and returns how many. People sign in again; their unsent
   * input stays in the browser.
   */
  endOthers(author: { readonly actor: string; readonly request: string }): Promise<number>;
}
export const OpenSessions = token<OpenSessions>('core.OpenSessions');

export function createOpenSessions(options: {
  readonly database: Database;
  readonly changes: AccessChanges;
  readonly audit: AuditLog;
  readonly clock: Clock;
}): OpenSessions {
  const { database, changes, audit, clock } = options;
  return {
    endOthers: async ({ actor, request }) => {
      const endedCount = await database
        .of<AuthTables>('core')
        .transaction()
        .execute(async (transaction) => {
          const { numUpdatedRows } = await transaction
            .updateTable('session')
            .set({ revoked_at: new Date(clock.now()) })
            .where('account', '<>', actor)
            .where('revoked_at', 'is', null)
            .executeTakeFirst();
          const count = Number(numUpdatedRows);
          if (count > 0)
            await audit.record(
              { actor, action: 'sessions.ended', subject: actor, details: { sessions: count }, request },
              transaction,
            );
          return count;
        });
      if (endedCount > 0) await changes.announce({ kind: 'anything' });
      return endedCount;
    },
  };
}
