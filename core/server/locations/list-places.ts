import type { LocationStore } from '../access/location-store.ts';
import type { RowChange } from '../changes/change-recorder.ts';

/**
 * The locations to which undoing a change of locations needs access: the changed ones, the former parents of those that
 * were deleted, moved or reordered (null for sites), and those of other rows.
 */
export async function listPlaces(
  locations: Pick<LocationStore, 'find'>,
  { location, rows }: { readonly location: string; readonly rows: readonly RowChange[] },
): Promise<readonly (string | null)[]> {
  const locationRows = rows.filter(({ table }) => table === 'location');
  const deletedUids = new Set(locationRows.filter(({ after }) => !after).map(({ key }) => String(key['uid'])));
  const places = new Set<string | null>();
  for (const { key, before, after } of locationRows) {
    const uid = String(key['uid']);
    const currentRow = await locations.find(uid);
    if (after && currentRow) places.add(uid);
    if (before && (!after || 'parent' in before)) places.add(before['parent'] as string | null);
    else if (before && 'position' in before && currentRow) places.add(currentRow.parent);
  }
  for (const { table, key } of rows) if (table !== 'location') places.add(String(key['location']));
  if (locationRows.length === 0 && location !== '') places.add(location);
  const listedPlaces = [...places].filter((place) => place === null || !deletedUids.has(place));
  // A parent that is gone is named by the undo itself.
  const formerParents = new Set(locationRows.map(({ before }) => before?.['parent']));
  const placeLists = await Promise.all(
    listedPlaces.map(async (place) =>
      place !== null && formerParents.has(place) && !(await locations.find(place)) ? [] : [place],
    ),
  );
  return placeLists.flat();
}
