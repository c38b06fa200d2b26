import {
  updateLocation,
  coreRefusal,
  createLocation,
  deleteLocation,
  findLocationUse,
  moveLocation,
  saveSite,
} from '#core/api';
import { AccessChanges } from '../access/access-changes.ts';
import type { Caller } from '../access/caller.ts';
import { locationOwner } from '../access/lock-locations.ts';
import { LocationContents } from '../access/location-contents.ts';
import { LocationStore } from '../access/location-store.ts';
import { incrementRoleVersions } from '../access/increment-role-versions.ts';
import { ChangeJournal } from '../changes/change-journal.ts';
import type { CoreApi, CorePart } from '../kernel/core-part.ts';
import { conflict, noAccess } from '../kernel/server-error.ts';
import { findBlockedLocations } from './find-blocked-locations.ts';
import { listLocationsRequiredForUndo } from './list-locations-required-for-undo.ts';
import { LocationChanges } from './location-changes.ts';
import { LocationWriter, type LocationTables } from './location-writer.ts';
import { saveLocations } from './save-locations.ts';

/**
 * Changes locations and site records. The service that reads locations belongs to the part `access`, which is mounted
 * earlier, because the change journal needs it.
 */
export const locationsPart: CorePart = {
  id: 'location',
  migrations: [],
  mount(api, context) {
    const { database, clock, product } = context;
    const locations = context.service(LocationStore);
    const contents = context.service(LocationContents);
    const accessChanges = context.service(AccessChanges);
    const journal = context.service(ChangeJournal);
    const changes = journal.of<LocationTables>(locationOwner, 'core');
    changes.register({
      tables: {
        location: { key: ['uid'], name: 'name', version: 'version' },
        site: {
          key: ['location'],
          derived: ['updated_at'],
          belongsTo: { column: 'location', tables: ['location'] },
        },
        role_location: {
          key: ['role', 'location'],
          belongsTo: { column: 'location', tables: ['location'] },
          skippedIfReferenceGone: true,
        },
      },
      listLocationsRequiredForUndo: (change) => listLocationsRequiredForUndo(locations, change),
      findBlocked: (transaction, rows) => findBlockedLocations(transaction, contents, rows),
      // Roles that name the location get a new version, so that a role form opened before cannot save its old list.
      settle: (transaction, { role_location: roleLocations = [] }) =>
        incrementRoleVersions(transaction, [...new Set(roleLocations.map(({ role }) => String(role)))]),
      announce: async ({ location, site, role_location }) => {
        if (location || site) await accessChanges.announce({ kind: 'locations' });
        if (role_location) await accessChanges.announce({ kind: 'roles' });
      },
    });
    const { timeZone } = product;
    context.provide(LocationWriter, {
      contentChangesOf: (schema) => journal.of(locationOwner, schema),
      save: (...args) => saveLocations({ contents, clock, timeZone }, ...args),
      selectLocationsWithContents: () => contents.selectLocationsWithContents(),
    });
    const options = { database, locations, contents, changes, clock, timeZone };
    serveLocationChanges(api, new LocationChanges(options), locations);
  },
};

function serveLocationChanges(api: CoreApi, changes: LocationChanges, locations: LocationStore): void {
  /** A parent that the caller cannot access is refused like a deleted one. */
  const assertParent = async (caller: Caller, parent: string | null): Promise<void> => {
    if (parent === null) {
      if (caller.access.locations !== 'ALL') throw noAccess();
    } else if (!(await locations.canAccess(caller, parent)))
      throw conflict(coreRefusal('core.refused.locationParentGone'));
  };
  api.serve(createLocation, async ({ caller, body, requestId }) => {
    await assertParent(caller, body.parent);
    return { change: await changes.create(body, { caller, requestId }) };
  });
  api.serve(updateLocation, async ({ caller, params, body, requestId }) => ({
    change: await changes.change(params.location, body, { caller, requestId }),
  }));
  api.serve(moveLocation, async ({ caller, params, body, requestId }) => {
    await assertParent(caller, body.parent);
    return { change: await changes.move(params.location, body, { caller, requestId }) };
  });
  api.serve(findLocationUse, ({ params }) => changes.findUse(params.location));
  api.serve(deleteLocation, async ({ caller, params, requestId }) => ({
    change: await changes.delete(params.location, { caller, requestId }),
  }));
  api.serve(saveSite, async ({ caller, params, body: { base, ...record }, requestId }) => ({
    change: await changes.saveSite(params.site, record, { caller, requestId }, base),
  }));
}
