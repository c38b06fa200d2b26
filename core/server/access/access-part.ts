import {
  changeLocation,
  coreRefusal,
  createLocation,
  deleteLocation,
  findLocationUse,
  listLocations,
  moveLocation,
  saveSite,
  undoLocationChange,
} from '#core/api';
import { AuditLog } from '../audit/audit-log.ts';
import { DatabaseAuditLog } from '../audit/database-audit-log.ts';
import { conflict, noAccess } from '../kernel/server-error.ts';
import { seedDemoLocations } from './seed-demo-locations.ts';
import type { CoreApi, CorePart } from '../kernel/core-part.ts';
import { AccessChanges } from './access-changes.ts';
import { accessMigrations } from './access-migrations.ts';
import type { Caller } from './caller.ts';
import { DatabaseAccessChanges } from './database-access-changes.ts';
import { DatabaseLocationStore } from './database-location-store.ts';
import { DatabaseRoles } from './database-roles.ts';
import { DatabaseSiteStore } from './database-site-store.ts';
import { LocationChanges } from './location-changes.ts';
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
    const accessChanges = new DatabaseAccessChanges(database);
    const locations = new DatabaseLocationStore(database, accessChanges, clock);
    const audit = new DatabaseAuditLog(clock);
    const contents = new LocationContents(database);
    const { timeZone } = product;
    const changes = new LocationChanges({
      database,
      locations,
      contents,
      changes: accessChanges,
      audit,
      clock,
      timeZone,
    });
    const sites = new DatabaseSiteStore({ locations, changes, timeZone });
    context.provide(AccessChanges, accessChanges);
    context.provide(LocationStore, locations);
    context.provide(LocationContents, contents);
    context.provide(SiteStore, sites);
    context.provide(Roles, new DatabaseRoles(database, accessChanges, clock));
    context.provide(AuditLog, audit);
    context.onStart(async () => context.onStop(await accessChanges.start()));

    api.serve(listLocations, ({ caller }) => locations.createReply(caller.access.locations));
    serveLocationChanges(api, changes, locations);
  },
  demo: seedDemoLocations,
};

function serveLocationChanges(api: CoreApi, changes: LocationChanges, locations: LocationStore): void {
  /** A parent without access is refused like a deleted one. */
  const assertParent = async (caller: Caller, parent: string | null): Promise<void> => {
    if (parent === null) {
      if (caller.access.locations !== 'ALL') throw noAccess();
    } else if (!(await locations.canAccess(caller, parent)))
      throw conflict(coreRefusal('core.refused.locationParentGone'));
  };
  api.serve(createLocation, async ({ caller, body, requestId }) => {
    await assertParent(caller, body.parent);
    return { change: await changes.create(body, { by: caller.uid, request: requestId }) };
  });
  api.serve(changeLocation, async ({ caller, params, body, requestId }) => ({
    change: await changes.change(params.location, body, { by: caller.uid, request: requestId }),
  }));
  api.serve(moveLocation, async ({ caller, params, body, requestId }) => {
    await assertParent(caller, body.parent);
    return { change: await changes.move(params.location, body, { by: caller.uid, request: requestId }) };
  });
  api.serve(findLocationUse, ({ params }) => changes.findUse(params.location));
  api.serve(deleteLocation, async ({ caller, params, requestId }) => ({
    change: await changes.delete(params.location, { by: caller.uid, request: requestId }),
  }));
  api.serve(saveSite, async ({ caller, params, body: { base, ...record }, requestId }) => ({
    change: await changes.saveSite(params.site, record, { by: caller.uid, request: requestId }, base),
  }));
  api.serve(undoLocationChange, async ({ caller, params, requestId }) => ({
    change: await changes.undo(params.change, caller, requestId),
  }));
}
