import { listContentChecks, listContentFindings } from '#core/api';
import type { Caller } from '../access/caller.ts';
import { LocationStore } from '../access/location-store.ts';
import type { CorePart } from '../kernel/core-part.ts';
import { ContentChecks, DatabaseContentChecks, type CheckedPlace } from './content-checks.ts';

/** Lists what is missing in the contents of a place or contradicts itself. */
export const contentChecksPart: CorePart = {
  id: 'content-checks',
  migrations: [],
  mount(api, context) {
    const locations = context.service(LocationStore);
    const checks = new DatabaseContentChecks(context.database);
    context.provide(ContentChecks, checks);
    const findPlace = async (caller: Caller, location: string): Promise<CheckedPlace> => ({
      location,
      locations: await locations.accessibleDescendants(caller, location),
    });
    api.serve(listContentChecks, async ({ caller, params }) => [
      ...(await checks.count(await findPlace(caller, params.location))),
    ]);
    api.serve(listContentFindings, async ({ caller, params, query }) =>
      checks.list(await findPlace(caller, params.location), params.check, query),
    );
  },
};
