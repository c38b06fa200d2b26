import { listContentChecks, listContentFindings } from '#core/api';
import { LocationStore } from '../access/location-store.ts';
import type { CorePart } from '../kernel/core-part.ts';
import { ContentChecks, DatabaseContentChecks } from './content-checks.ts';

/** Lists missing and contradictory contents at a location and below it. */
export const contentChecksPart: CorePart = {
  id: 'content-checks',
  migrations: [],
  mount(api, context) {
    const locations = context.service(LocationStore);
    const checks = new DatabaseContentChecks(context.database);
    context.provide(ContentChecks, checks);
    api.serve(listContentChecks, async ({ caller, params }) => [
      ...(await checks.count(await locations.accessibleDescendants(caller, params.location))),
    ]);
    api.serve(listContentFindings, async ({ caller, params, query }) =>
      checks.list(await locations.accessibleDescendants(caller, params.location), params.check, query),
    );
  },
};
