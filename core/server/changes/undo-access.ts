import { coreRefusal } from '#core/api';
import type { Caller } from '../access/caller.ts';
import type { LocationStore } from '../access/location-store.ts';
import { conflict, noAccess } from '../kernel/server-error.ts';
import type { ChangeRecorder, RecordedTables, RowChange } from './change-recorder.ts';
import type { JsonRow } from './change-tables.ts';
import type { RecordedContents } from './content-changes.ts';
import type { StoredChange } from './stored-changes.ts';

/** The contents of which a change is undone. */
interface Undone {
  readonly tables: RecordedTables;
  readonly parts: readonly Pick<RecordedContents<Record<string, JsonRow>>, 'listPlaces'>[];
}

/** @throws `noAccess` (403); `conflict` (409) if one of the locations is gone */
export async function assertPlaces(
  locations: LocationStore,
  { tables, parts }: Undone,
  change: StoredChange,
  caller: Caller,
): Promise<void> {
  const listPlaces = parts.find((part) => part.listPlaces)?.listPlaces;
  const places = new Set(listPlaces ? await listPlaces(change) : listRowPlaces(tables, change));
  for (const place of places) {
    if (place === null) {
      if (caller.access.locations !== 'ALL') throw noAccess();
      continue;
    }
    if (!(await locations.find(place))) throw conflict(coreRefusal('core.refused.undoNeeds', { name: change.name }));
    if (!(await locations.canAccess(caller, place))) throw noAccess();
  }
}

/** The location of a change and those of its rows, before and after. */
function listRowPlaces(tables: RecordedTables, { location, rows }: StoredChange): readonly string[] {
  const places = location === '' ? [] : [location];
  for (const { table, before, after } of rows) {
    const column = tables.get(table)?.location;
    if (column === undefined) continue;
    for (const place of [before?.[column], after?.[column]]) if (typeof place === 'string') places.push(place);
  }
  return places;
}

/** Changed rows are recorded without the columns that stayed the same, so their location is that of the current row. */
export function assertRowAccess(
  { tables }: Pick<Undone, 'tables'>,
  recorder: ChangeRecorder,
  rows: readonly RowChange[],
  accessibleUids: ReadonlySet<string>,
): void {
  for (const { table, key } of rows) {
    const place = recorder.findBefore(table, key)?.[tables.get(table)?.location ?? ''];
    if (typeof place === 'string' && !accessibleUids.has(place)) throw noAccess();
  }
}
