import { listAuditEntries, undoChange } from '#core/api';
import { LocationStore } from '../access/location-store.ts';
import { Roles } from '../access/roles.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { listAuditEntries as queryAuditEntries } from '../audit/list-audit-entries.ts';
import type { CorePart } from '../kernel/core-part.ts';
import { ChangeAnnouncer } from './change-announcer.ts';
import { ChangeJournal } from './change-journal.ts';
import { changesMigrations } from './changes-migrations.ts';
import { DatabaseChangeJournal } from './database-change-journal.ts';

/** The change journal, which records and undoes changes, and the list of the audit log. */
export const changesPart: CorePart = {
  id: 'changes',
  migrations: changesMigrations,
  mount(api, context) {
    const { database, clock } = context;
    const locations = context.service(LocationStore);
    const announcer = new ChangeAnnouncer(context.log);
    context.onStop(() => announcer.stop());
    const journal = new DatabaseChangeJournal({
      database,
      clock,
      locations,
      roles: context.service(Roles),
      announcer,
      audit: context.service(AuditLog),
    });
    context.provide(ChangeJournal, journal);
    api.serve(undoChange, ({ caller, params, requestId }) => journal.undo(params.change, caller, requestId));
    api.serve(listAuditEntries, async ({ caller, query }) =>
      queryAuditEntries(database.of('core'), {
        ...query,
        locations: caller.access.locations === 'ALL' ? 'ALL' : await locations.accessible(caller),
        undoAccessOf: (...change) => journal.undoAccessOf(...change),
      }),
    );
  },
};
