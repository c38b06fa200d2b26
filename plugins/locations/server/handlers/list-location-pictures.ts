import { sql } from 'kysely';
import { atLocation, type Caller, type ServerContext } from '#core/server';
import type { LocationPictures } from '../../contract/index.ts';
import type { LocationsTables } from '../tables.ts';

/**
 * Lists the images of the locations that the caller can access, and of those with an area that leads to one. Omits
 * other areas.
 */
export async function locationPictures(
  { tables, files, locations }: Pick<ServerContext<LocationsTables>, 'tables' | 'files' | 'locations'>,
  caller: Caller,
): Promise<LocationPictures[]> {
  const accessible = await locations.accessible(caller);
  const rows = await tables
    .selectFrom('location_picture')
    .selectAll()
    .where((where) =>
      where.or([
        atLocation('location', accessible),
        sql<boolean>`exists (
          select from jsonb_array_elements(areas) area where area ->> 'location' = any(${accessible}::text[])
        )`,
      ]),
    )
    .orderBy('location')
    .execute();
  const accessibleAreas = new Set(accessible);
  return rows.map(({ location, icon, navigation_image, areas }) => ({
    location,
    icon: icon === null ? null : files.address(icon),
    navigationImage: navigation_image === null ? null : files.address(navigation_image),
    areas: areas.filter((area) => accessibleAreas.has(area.location)),
  }));
}
