import { atLocation, toFindings, type ServerContext } from '#core/server';
import { sitesAdmin } from '../../contract/index.ts';
import type { LocationsTables } from '../tables.ts';

type CheckContext = Pick<ServerContext<LocationsTables>, 'tables' | 'locations' | 'registerCheck'>;

/** Registers the checks of sites and their pictures. */
export function registerContentChecks(context: CheckContext): void {
  context.registerCheck({
    id: 'siteWithoutUnit',
    severity: 'WARNING',
    fix: { route: sitesAdmin },
    find: (checkedLocations) => findSitesWithoutUnit(context, checkedLocations),
  });
  context.registerCheck({
    id: 'deadHotspot',
    severity: 'ERROR',
    fix: { route: sitesAdmin },
    find: (checkedLocations) => findDeadHotspots(context, checkedLocations),
  });
}

async function findSitesWithoutUnit({ locations }: CheckContext, checkedLocations: readonly string[]) {
  const checkedUids = new Set(checkedLocations);
  const rows = await locations.all();
  const sitesWithUnit = new Set(rows.filter((row) => row.locationType === 'PLATFORM_UNIT').map(({ root }) => root));
  return toFindings(
    rows
      .filter(({ uid, parent }) => parent === null && checkedUids.has(uid) && !sitesWithUnit.has(uid))
      .map(({ uid, name }) => ({ location: uid, subject: uid, name })),
  );
}

/** Finds hotspots whose location was deleted, or is no longer below the picture's location. */
async function findDeadHotspots({ tables, locations }: CheckContext, checkedLocations: readonly string[]) {
  const pictures = await tables
    .selectFrom('location_picture')
    .select(['location', 'areas'])
    .where(atLocation('location', checkedLocations))
    .execute();
  const nameByUid = new Map((await locations.all()).map(({ uid, name }) => [uid, name]));
  const checkedUids = new Set(checkedLocations);
  const deadHotspots = await Promise.all(
    pictures.map(async ({ location, areas }) => {
      const descendantUids = new Set(await locations.descendants(location));
      return areas
        .filter(
          (area) =>
            !descendantUids.has(area.location) && (!nameByUid.has(area.location) || checkedUids.has(area.location)),
        )
        .map((area) => ({ location, subject: area.location, name: nameByUid.get(area.location) ?? area.location }));
    }),
  );
  return toFindings(deadHotspots.flat());
}
