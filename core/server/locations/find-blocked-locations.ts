import { sql, type QueryExecutorProvider } from 'kysely';
import type { LocalizedRefusal, LocationType } from '#core';
import { coreRefusal } from '#core/api';
import type { LocationContents } from '../access/location-contents.ts';
import type { RowChange } from '../changes/change-recorder.ts';
import type { JsonRow } from '../changes/change-tables.ts';
import type { BlockedRow } from '../changes/content-changes.ts';
import { loadTree, StoredTree, type StoredLocation } from './location-tree.ts';

const getUid = ({ key }: RowChange): string => String(key['uid']);

/**
 * Finds changed locations that cannot be restored: their code or parent is gone, they would be below themselves or
 * below a wrong type, or something was added to them. Rows that depend on a blocked location are blocked as well.
 */
export async function findBlockedLocations(
  transaction: QueryExecutorProvider,
  contents: LocationContents,
  rows: readonly RowChange[],
): Promise<readonly BlockedRow[]> {
  const reversedRows = new Set(rows.filter(({ table }) => table === 'location'));
  if (reversedRows.size === 0) return [];
  const currentTree = await loadTree(transaction);
  const createdUids = [...reversedRows].filter(({ before }) => !before).map(getUid);
  const inUse = new Set(await contents.listLocationsWithContents(createdUids, transaction));
  const isGranted = await findGranted(transaction, createdUids, rows);
  const blockedRows: BlockedRow[] = [];
  for (;;) {
    const restoredTree = new StoredTree(reverse(currentTree, reversedRows).values());
    const newBlockedRows = [...reversedRows].flatMap((row) => {
      const reason = findReason(row, { present: currentTree, restored: restoredTree, inUse, isGranted });
      return reason ? [{ row, reason }] : [];
    });
    if (newBlockedRows.length === 0) return blockedRows;
    blockedRows.push(...newBlockedRows);
    for (const { row } of newBlockedRows) reversedRows.delete(row);
  }
}

interface UndoState {
  readonly present: StoredTree;
  /** The tree after the undo. */
  readonly restored: StoredTree;
  readonly inUse: ReadonlySet<string>;
  /** Locations to which roles grant access that the change itself did not grant. */
  readonly isGranted: ReadonlySet<string>;
}

function findReason(row: RowChange, { present, restored, inUse, isGranted }: UndoState): LocalizedRefusal | undefined {
  const uid = getUid(row);
  if (!row.before) {
    const name = present.find(uid)?.name ?? uid;
    if (inUse.has(uid)) return coreRefusal('core.refused.locationInUse', { name });
    return isGranted.has(uid) || restored.children(uid).length > 0
      ? coreRefusal('core.refused.undoChanged', { name })
      : undefined;
  }
  if (!row.after && present.hasCode(uid)) return coreRefusal('core.refused.undoCode', { uid });
  if (row.after && !('parent' in row.before) && !('location_type' in row.before)) return undefined;
  const location = restored.find(uid);
  // Deleted since the change, so `isUntouched` refuses it.
  if (!location) return undefined;
  return location.parent !== null && !restored.find(location.parent)
    ? coreRefusal('core.refused.undoParent', { name: location.name })
    : restored.findMisplacement(location);
}

/** Returns the locations as they are after undoing these changes. */
function reverse(tree: StoredTree, changes: Iterable<RowChange>): ReadonlyMap<string, StoredLocation> {
  const rows = new Map(tree.rows);
  for (const change of changes) {
    const uid = getUid(change);
    const currentLocation = rows.get(uid);
    if (!change.before) rows.delete(uid);
    else if (!change.after) rows.set(uid, toStoredLocation(change.before));
    else if (currentLocation)
      rows.set(uid, { ...currentLocation, ...toStoredLocation({ ...toColumns(currentLocation), ...change.before }) });
  }
  return rows;
}

const toColumns = ({ locationType, ...location }: StoredLocation): JsonRow => ({
  ...location,
  location_type: locationType,
});

const toStoredLocation = ({ location_type: locationType, ...columns }: JsonRow): StoredLocation => ({
  ...(columns as unknown as StoredLocation),
  locationType: locationType as LocationType,
});

async function findGranted(
  transaction: QueryExecutorProvider,
  createdUids: readonly string[],
  rows: readonly RowChange[],
): Promise<ReadonlySet<string>> {
  const ownKeys = new Set(
    rows.flatMap(({ table, key, before }) =>
      table === 'role_location' && !before ? [JSON.stringify([key['role'], key['location']])] : [],
    ),
  );
  const { rows: grants } = await sql<{ role: string; location: string }>`
    select role, location from core.role_location where location = any(${[...createdUids]}::text[])`.execute(
    transaction,
  );
  return new Set(
    grants.flatMap(({ role, location }) => (ownKeys.has(JSON.stringify([role, location])) ? [] : [location])),
  );
}
