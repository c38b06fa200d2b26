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
 * Finds rows whose change cannot be undone. Created locations: they are in use, have locations below them, or a role
 * got access to them. Deleted or changed locations: their code is in use again, their parent is gone, or they would be
 * below themselves, below a wrong type or above a wrong type. Rows that depend on a blocked location are blocked as
 * well.
 */
export async function findBlockedLocations(
  transaction: QueryExecutorProvider,
  contents: LocationContents,
  rows: readonly RowChange[],
): Promise<readonly BlockedRow[]> {
  const rowsToUndo = new Set(rows.filter(({ table }) => table === 'location'));
  if (rowsToUndo.size === 0) return [];
  const currentTree = await loadTree(transaction);
  const createdUids = [...rowsToUndo].filter(({ before }) => !before).map(getUid);
  const uidsInUse = new Set(await contents.listLocationsWithContents(createdUids, transaction));
  const grantedUids = await findGrantedUids(transaction, createdUids, rows);
  const blockedRows: BlockedRow[] = [];
  for (;;) {
    const restoredTree = new StoredTree(undoInTree(currentTree, rowsToUndo).values());
    const newBlockedRows = [...rowsToUndo].flatMap((row) => {
      const reason = findReason(row, { current: currentTree, restored: restoredTree, uidsInUse, grantedUids });
      return reason ? [{ row, reason }] : [];
    });
    if (newBlockedRows.length === 0) return blockedRows;
    blockedRows.push(...newBlockedRows);
    for (const { row } of newBlockedRows) rowsToUndo.delete(row);
  }
}

interface UndoState {
  readonly current: StoredTree;
  /** The tree after the undo. */
  readonly restored: StoredTree;
  readonly uidsInUse: ReadonlySet<string>;
  /** Created locations to which a role got access only after the change. */
  readonly grantedUids: ReadonlySet<string>;
}

function findReason(
  row: RowChange,
  { current, restored, uidsInUse, grantedUids }: UndoState,
): LocalizedRefusal | undefined {
  const uid = getUid(row);
  if (!row.before) {
    const name = current.find(uid)?.name ?? uid;
    if (uidsInUse.has(uid)) return coreRefusal('core.refused.locationInUse', { name });
    return grantedUids.has(uid) || restored.children(uid).length > 0
      ? coreRefusal('core.refused.undoChanged', { name })
      : undefined;
  }
  if (!row.after && current.hasCode(uid)) return coreRefusal('core.refused.undoCode', { uid });
  if (row.after && !('parent' in row.before) && !('location_type' in row.before)) return undefined;
  const location = restored.find(uid);
  // The location was deleted after the change. The undo itself detects that (`isUntouched` in restore-change.ts).
  if (!location) return undefined;
  return location.parent !== null && !restored.find(location.parent)
    ? coreRefusal('core.refused.undoParent', { name: location.name })
    : restored.findMisplacement(location);
}

/** Returns the locations of the tree as they are after undoing these changes. */
function undoInTree(tree: StoredTree, changes: Iterable<RowChange>): ReadonlyMap<string, StoredLocation> {
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

async function findGrantedUids(
  transaction: QueryExecutorProvider,
  createdUids: readonly string[],
  rows: readonly RowChange[],
): Promise<ReadonlySet<string>> {
  const grantKeysOfChange = new Set(
    rows.flatMap(({ table, key, before }) =>
      table === 'role_location' && !before ? [JSON.stringify([key['role'], key['location']])] : [],
    ),
  );
  const { rows: grants } = await sql<{ role: string; location: string }>`
    select role, location from core.role_location where location = any(${[...createdUids]}::text[])`.execute(
    transaction,
  );
  return new Set(
    grants.flatMap(({ role, location }) => (grantKeysOfChange.has(JSON.stringify([role, location])) ? [] : [location])),
  );
}
