import type { Selectable } from 'kysely';
import type { FileStore } from '#core/server';
import type { LocationPictures } from '../../contract/index.ts';
import type { LocationsTables } from '../tables.ts';

/** Converts a row to its reply with the areas of accessible locations. Nobody can access deleted locations. */
export const toLocationPictures = (
  { location, icon, navigation_image, areas, version }: Selectable<LocationsTables['location_picture']>,
  files: Pick<FileStore, 'url'>,
  accessibleUids: ReadonlySet<string>,
): LocationPictures => ({
  location,
  icon: icon === null ? null : files.url(icon),
  navigationImage: navigation_image === null ? null : files.url(navigation_image),
  areas: areas.filter((area) => accessibleUids.has(area.location)),
  version,
});
