import { locationPath, type LocationRow } from '#core';
import type { AnnotateContext } from './annotate-context.ts';

/** Uids of the location and of what lies below it, as far as the caller reaches. */
export async function locationsBelow(context: AnnotateContext, location: string): Promise<readonly string[]> {
  const all = await context.locations.all();
  const rows = new Map(all.map((row): readonly [string, LocationRow] => [row.uid, row]));
  return all.filter((row) => locationPath(rows, row.uid).some((above) => above.uid === location)).map((row) => row.uid);
}
