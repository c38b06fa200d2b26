import type { Selectable } from 'kysely';
import type { FileStore } from '#core/server';
import type { LocationPictures } from '../../contract/index.ts';
import type { LocationsTables } from '../tables.ts';

/** Converts a row to its reply. Omits areas of locations that are deleted or that the caller cannot access. */
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
