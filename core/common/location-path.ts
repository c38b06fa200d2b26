import type { LocationRow } from './location.ts';

/** The rows from the root to this one. Empty for an unknown uid; stops at a cycle. */
export function findLocationPath(rows: ReadonlyMap<string, LocationRow>, uid: string): readonly LocationRow[] {
  const path: LocationRow[] = [];
  const visited = new Set<string>();
  let row = rows.get(uid);
  while (row !== undefined && !visited.has(row.uid)) {
    visited.add(row.uid);
    path.push(row);
    row = row.parent === null ? undefined : rows.get(row.parent);
  }
  return path.reverse();
}
