import type { LocationStore } from '../access/location-store.ts';
import type { RowChange } from '../changes/change-recorder.ts';

/**
 * The locations to which undoing a change of locations requires access: the changed locations, the former parents of
 * locations that were deleted, moved or reordered (null for sites), and the locations of other rows.
 */
export async function listLocationsRequiredForUndo(
  locations: Pick<LocationStore, 'find'>,
  { location, rows }: { readonly location: string; readonly rows: readonly RowChange[] },
): Promise<readonly (string | null)[]> {
  const locationRows = rows.filter(({ table }) => table === 'location');
  const deletedUids = new Set(locationRows.filter(({ after }) => !after).map(({ key }) => String(key['uid'])));
  const requiredLocations = new Set<string | null>();
  for (const { key, before, after } of locationRows) {
    const uid = String(key['uid']);
    const currentRow = await locations.find(uid);
    if (after && currentRow) requiredLocations.add(uid);
    if (before && (!after || 'parent' in before)) requiredLocations.add(before['parent'] as string | null);
    else if (before && 'position' in before && currentRow) requiredLocations.add(currentRow.parent);
  }
  for (const { table, key } of rows) if (table !== 'location') requiredLocations.add(String(key['location']));
  if (locationRows.length === 0 && location !== '') requiredLocations.add(location);
  const remainingLocations = [...requiredLocations].filter((uid) => uid === null || !deletedUids.has(uid));
  // The undo itself reports a parent that is gone.
  const formerParents = new Set(locationRows.map(({ before }) => before?.['parent']));
  const locationLists = await Promise.all(
    remainingLocations.map(async (uid) =>
      uid !== null && formerParents.has(uid) && !(await locations.find(uid)) ? [] : [uid],
    ),
  );
  return locationLists.flat();
}
