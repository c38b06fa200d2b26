import { listLocations } from '#core/api';
import { AuditLog, auditMigrations } from '../audit/audit-log.ts';
import { DatabaseAuditLog } from '../audit/database-audit-log.ts';
import { seedDemoLocations } from '../demo/seed-demo-locations.ts';
import type { CorePart } from '../kernel/core-part.ts';
import { AccessChanges } from './access-changes.ts';
import { accessMigrations } from './access-migrations.ts';
import { DatabaseAccessChanges } from './database-access-changes.ts';
import { DatabaseLocationStore } from './database-location-store.ts';
import { DatabaseRoles } from './database-roles.ts';
import { LocationStore } from './location-store.ts';
import { Roles } from './roles.ts';

/** Locations, roles and the audit log. */
export const accessPart: CorePart = {
  id: 'access',
  migrations: [...accessMigrations, ...auditMigrations],
  mount(api, context) {
    const { database, clock } = context;
    const changes = new DatabaseAccessChanges(database);
    const locations = new DatabaseLocationStore(database, changes, clock);
    context.provide(AccessChanges, changes);
    context.provide(LocationStore, locations);
    context.provide(Roles, new DatabaseRoles(database, changes, clock));
    context.provide(AuditLog, new DatabaseAuditLog(clock));
    context.onStart(async () => context.onStop(await changes.start()));

    api.serve(listLocations, ({ caller }) => locations.replyFor(caller.access.locations));
  },
  demo: seedDemoLocations,
};
