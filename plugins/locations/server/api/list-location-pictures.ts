import type { Caller, ServerContext } from '#core/server';
import type { LocationPictures } from '../../contract/index.ts';
import type { LocationsTables } from '../tables.ts';

/** Pictures of what the caller's roles reach; areas that lead elsewhere are left out. */
export async function locationPictures(
  { database, files, locations }: ServerContext,
  caller: Caller,
): Promise<LocationPictures[]> {
  const rows = await database
    .of<LocationsTables>('locations')
    .selectFrom('location_picture')
    .selectAll()
    .orderBy('location')
    .execute();
  const reached = new Set<string>();
  const named = new Set(rows.flatMap(({ location, areas }) => [location, ...areas.map((area) => area.location)]));
  for (const uid of named) if (await locations.canAccess(caller, uid)) reached.add(uid);
  const leadsToReached = (row: (typeof rows)[number]): boolean =>
    reached.has(row.location) || row.areas.some((area) => reached.has(area.location));
  return rows.filter(leadsToReached).map(({ location, icon, navigation_image, areas }) => ({
    location,
    icon: icon === null ? null : files.address(icon),
    navigationImage: navigation_image === null ? null : files.address(navigation_image),
    areas: areas.filter((area) => reached.has(area.location)),
  }));
}
