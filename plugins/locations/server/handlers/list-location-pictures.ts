import { sql } from 'kysely';
import { atLocation, type Caller, type ServerContext } from '#core/server';
import type { LocationPictures } from '../../contract/index.ts';
import { toLocationPictures } from '../queries/to-location-pictures.ts';
import type { LocationsTables } from '../tables.ts';

/**
 * Loads the images of accessible locations, and of locations whose navigation image has an area that leads to an
 * accessible location. Areas of other locations are omitted.
 */
export async function loadLocationPictures(
  { tables, files, locations }: Pick<ServerContext<LocationsTables>, 'tables' | 'files' | 'locations'>,
  caller: Caller,
): Promise<LocationPictures[]> {
  const accessibleLocations = await locations.accessible(caller);
  const rows = await tables
    .selectFrom('location_picture')
    .selectAll()
    .where((builder) =>
      builder.or([
        atLocation('location', accessibleLocations),
        sql<boolean>`exists (
          select from jsonb_array_elements(areas) area where area ->> 'location' = any(${accessibleLocations}::text[])
        )`,
      ]),
    )
    .orderBy('location')
    .execute();
  const accessibleUids = new Set(accessibleLocations);
  return rows.map((row) => toLocationPictures(row, files, accessibleUids));
}
