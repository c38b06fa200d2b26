import type { LocationRow } from './location.ts';

/** The rows from the root to this one. Empty for an unknown uid; stops at a cycle. */
export function locationPath(rows: ReadonlyMap<string, LocationRow>, uid: string): readonly LocationRow[] {
  const path: LocationRow[] = [];
  const seen = new Set<string>();
  let row = rows.get(uid);
  while (row !== undefined && !seen.has(row.uid)) {
    seen.add(row.uid);
    path.push(row);
    row = row.parent === null ? undefined : rows.get(row.parent);
  }
  return path.reverse();
}
