import type { Selectable } from 'kysely';
import { coreRefusal } from '#core/api';
import { versionConflict, notFound, type CallAuthor, type ContentChanges, type ServerContext } from '#core/server';
import type { PicturesSaved } from '../../contract/index.ts';
import { toLocationPictures } from '../queries/to-location-pictures.ts';
import type { LocationsTables, PictureFields } from '../tables.ts';

export interface PictureContext extends Pick<ServerContext<LocationsTables>, 'tables' | 'files' | 'locations'> {
  /** Imports change pictures together with locations, so both share a journal. */
  readonly changes: Pick<ContentChanges<LocationsTables>, 'apply'>;
}

export interface PicturesVersion {
  readonly location: string;
  readonly version: number;
}

/**
 * Updates the row of a location with the fields that `getChangedFields` returns for it. Writes nothing if no value
 * differs.
 *
 * @throws `notFound` (404) for an unknown location; `versionConflict` (409) with the current pictures if the row is no
 *   longer at `version`
 */
export async function changePictures(
  { tables, files, locations, changes }: PictureContext,
  author: CallAuthor,
  { location, version }: PicturesVersion,
  action: string,
  getChangedFields: (row: Selectable<LocationsTables['location_picture']>) => PictureFields,
): Promise<PicturesSaved> {
  const name = (await locations.find(location))?.name;
  if (name === undefined) throw notFound('This location');
  const accessibleUids = new Set(await locations.accessible(author.caller));
  const { change } = await changes.apply(
    author,
    { action, subject: location, name, location },
    async ({ tables: transaction, lockAndRecord }) => {
      // The row is inserted first: an undo then resets it instead of deleting it, so its version keeps increasing.
      await transaction
        .insertInto('location_picture')
        .values({ location, version: 0 })
        .onConflict((builder) => builder.column('location').doNothing())
        .execute();
      await lockAndRecord('location_picture', 'location', [location]);
      const row = await transaction
        .selectFrom('location_picture')
        .selectAll()
        .where('location', '=', location)
        .executeTakeFirstOrThrow();
      if (row.version !== version)
        throw versionConflict(
          coreRefusal('core.refused.locationChanged', { name }),
          toLocationPictures(row, files, accessibleUids),
        );
      const { areas, ...images } = getChangedFields(row);
      await transaction
        .updateTable('location_picture')
        .set({ ...images, ...(areas ? { areas: JSON.stringify(areas) } : {}), location })
        .where('location', '=', location)
        .execute();
    },
  );
  const savedRow = await tables
    .selectFrom('location_picture')
    .selectAll()
    .where('location', '=', location)
    .executeTakeFirstOrThrow();
  return { change, pictures: toLocationPictures(savedRow, files, accessibleUids) };
}
