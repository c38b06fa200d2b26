import { listLocations } from '#core/api';
import { AuditLog } from '../audit/audit-log.ts';
import { DatabaseAuditLog } from '../audit/database-audit-log.ts';
import { seedDemoLocations } from './seed-demo-locations.ts';
import type { CorePart } from '../kernel/core-part.ts';
import { AccessChanges } from './access-changes.ts';
import { accessMigrations } from './access-migrations.ts';
import { DatabaseAccessChanges } from './database-access-changes.ts';
import { DatabaseLocationStore } from './database-location-store.ts';
import { DatabaseRoles } from './database-roles.ts';
import { DatabaseSiteStore } from './database-site-store.ts';
import { LocationContents } from './location-contents.ts';
import { LocationStore } from './location-store.ts';
import { Roles } from './roles.ts';
import { SiteStore } from './site-store.ts';

/** Locations, site records, roles and the audit log. */
export const accessPart: CorePart = {
  id: 'access',
  migrations: accessMigrations,
  mount(api, context) {
    const { database, clock, product } = context;
    const changes = new DatabaseAccessChanges(database);
    const locations = new DatabaseLocationStore(database, changes, clock);
    const { timeZone } = product;
    context.provide(AccessChanges, changes);
    context.provide(LocationStore, locations);
    context.provide(LocationContents, new LocationContents(database));
    context.provide(SiteStore, new DatabaseSiteStore({ database, locations, changes, clock, timeZone }));
    context.provide(Roles, new DatabaseRoles(database, changes, clock));
    context.provide(AuditLog, new DatabaseAuditLog(clock));
    context.onStart(async () => context.onStop(await changes.start()));

    api.serve(listLocations, ({ caller }) => locations.createReply(caller.access.locations));
  },
  demo: seedDemoLocations,
};
