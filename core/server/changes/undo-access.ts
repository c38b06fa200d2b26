import { coreRefusal } from '#core/api';
import type { Caller } from '../access/caller.ts';
import type { LocationStore } from '../access/location-store.ts';
import { conflict, noAccess } from '../kernel/server-error.ts';
import type { ChangeRecorder, RecordedTables, RowChange } from './change-recorder.ts';
import type { JsonRow } from './change-tables.ts';
import type { RecordedContents } from './content-changes.ts';
import type { StoredChange } from './stored-changes.ts';

/** The registered contents of the owner whose change is undone. */
interface UndoneContents {
  readonly tables: RecordedTables;
  readonly registrations: readonly Pick<RecordedContents<Record<string, JsonRow>>, 'listLocationsRequiredForUndo'>[];
}

/**
 * Asserts that the caller can access the locations that the undo of a change requires.
 *
 * @throws `noAccess` (403); `conflict` (409) if one of the locations is gone
 */
export async function assertUndoLocations(
  locations: LocationStore,
  { tables, registrations }: UndoneContents,
  change: StoredChange,
  caller: Caller,
): Promise<void> {
  const listLocations = registrations.find((part) => part.listLocationsRequiredForUndo)?.listLocationsRequiredForUndo;
  const requiredLocations = new Set(listLocations ? await listLocations(change) : listRowLocations(tables, change));
  for (const location of requiredLocations) {
    if (location === null) {
      if (caller.access.locations !== 'ALL') throw noAccess();
      continue;
    }
    if (!(await locations.find(location))) throw conflict(coreRefusal('core.refused.undoNeeds', { name: change.name }));
    if (!(await locations.canAccess(caller, location))) throw noAccess();
  }
}

/** Lists the location of a change, and those of its rows before and after it. */
function listRowLocations(tables: RecordedTables, { location, rows }: StoredChange): readonly string[] {
  const rowLocations = location === '' ? [] : [location];
  for (const { table, before, after } of rows) {
    const column = tables.get(table)?.location;
    if (column === undefined) continue;
    for (const rowLocation of [before?.[column], after?.[column]])
      if (typeof rowLocation === 'string') rowLocations.push(rowLocation);
  }
  return rowLocations;
}

/**
 * Asserts access to the current locations of the rows. Recorded rows contain only changed columns, so the location is
 * read from the current row.
 */
export function assertRowAccess(
  { tables }: Pick<UndoneContents, 'tables'>,
  recorder: ChangeRecorder,
  rows: readonly RowChange[],
  accessibleUids: ReadonlySet<string>,
): void {
  for (const { table, key } of rows) {
    const location = recorder.findBefore(table, key)?.[tables.get(table)?.location ?? ''];
    if (typeof location === 'string' && !accessibleUids.has(location)) throw noAccess();
  }
}
