import { undoChange } from '#core/api';
import { LocationStore } from '../access/location-store.ts';
import { AuditLog } from '../audit/audit-log.ts';
import type { CorePart } from '../kernel/core-part.ts';
import { ChangeJournal } from './change-journal.ts';
import { changesMigrations } from './changes-migrations.ts';
import { DatabaseChangeJournal } from './database-change-journal.ts';

/** The journal of changed contents, by which changes are undone. */
export const changesPart: CorePart = {
  id: 'changes',
  migrations: changesMigrations,
  mount(api, context) {
    const { database, clock } = context;
    const journal = new DatabaseChangeJournal({
      database,
      clock,
      locations: context.service(LocationStore),
      audit: context.service(AuditLog),
    });
    context.provide(ChangeJournal, journal);
    api.serve(undoChange, ({ caller, params, requestId }) => journal.undo(params.change, caller, requestId));
  },
};
