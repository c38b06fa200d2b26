import { atLocation, toFindings, type ServerContext } from '#core/server';
import { sitesAdmin } from '../../contract/index.ts';
import type { LocationsTables } from '../tables.ts';

type CheckContext = Pick<ServerContext<LocationsTables>, 'tables' | 'locations' | 'registerCheck'>;

/** Registers what is checked of sites and their pictures. */
export function registerChecks(context: CheckContext): void {
  context.registerCheck({
    id: 'siteWithoutUnit',
    severity: 'WARNING',
    fix: { route: sitesAdmin },
    find: (checked) => findSitesWithoutUnit(context, checked),
  });
  context.registerCheck({
    id: 'deadHotspot',
    severity: 'ERROR',
    fix: { route: sitesAdmin },
    find: (checked) => findDeadHotspots(context, checked),
  });
}

async function findSitesWithoutUnit({ locations }: CheckContext, checked: readonly string[]) {
  const places = new Set(checked);
  const rows = await locations.all();
  const withUnit = new Set(rows.filter((row) => row.locationType === 'PLATFORM_UNIT').map(({ root }) => root));
  return toFindings(
    rows
      .filter(({ uid, parent }) => parent === null && places.has(uid) && !withUnit.has(uid))
      .map(({ uid, name }) => ({ location: uid, subject: uid, name })),
  );
}

/** Areas of locations that were deleted, or moved away from below the picture. */
async function findDeadHotspots({ tables, locations }: CheckContext, checked: readonly string[]) {
  const pictures = await tables
    .selectFrom('location_picture')
    .select(['location', 'areas'])
    .where(atLocation('location', checked))
    .execute();
  const nameByUid = new Map((await locations.all()).map(({ uid, name }) => [uid, name]));
  const accessible = new Set(checked);
  const found = await Promise.all(
    pictures.map(async ({ location, areas }) => {
      const below = new Set(await locations.descendants(location));
      return areas
        .filter((area) => !below.has(area.location) && (!nameByUid.has(area.location) || accessible.has(area.location)))
        .map((area) => ({ location, subject: area.location, name: nameByUid.get(area.location) ?? area.location }));
    }),
  );
  return toFindings(found.flat());
}
