import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { locationPath, type LocationRow } from '#core';
import { noAccess, notFound, type Caller } from '#core/server';
import type { AnnotateContext } from './annotate-context.ts';

/** The latest; a list that a person reads has no more. */
export const mostListed = 2000;

/**
 * Of rows with `location`, `author` and `shared`: the caller's own and the shared ones at a location and below it,
 * where the caller reaches. Undefined where the caller reaches nothing there.
 */
export async function seenAt(
  context: AnnotateContext,
  caller: Caller,
  location: string,
): Promise<RawBuilder<SqlBool> | undefined> {
  const all = await context.locations.all();
  const rows = new Map(all.map((row): readonly [string, LocationRow] => [row.uid, row]));
  const below = all
    .filter((row) => locationPath(rows, row.uid).some((above) => above.uid === location))
    .map((row) => row.uid);
  return below.length === 0
    ? undefined
    : sql<SqlBool>`location in (${sql.join(below)}) and (author = ${caller.uid} or shared)`;
}

interface OwnedRow {
  readonly location: string;
  readonly author: string;
  readonly shared: boolean;
}

/** Whether the caller may change what somebody keeps here: its author, and people who configure the product. */
export function canChange({ author, shared }: Pick<OwnedRow, 'author' | 'shared'>, caller: Caller): boolean {
  return author === caller.uid || (shared && caller.access.flags.includes('configure'));
}

/**
 * Whether a row is there for the caller to delete. Throws 403 for another's shared one that the caller may not change,
 * 404 for another's private one. `one`: with its article, such as `a measurement`.
 */
export function mayRemove(row: OwnedRow | undefined, caller: Caller, location: string, one: string): row is OwnedRow {
  if (row?.location !== location) return false;
  if (!canChange(row, caller))
    throw row.shared
      ? noAccess(`Only the author of ${one} and people with the right to configure can delete it.`)
      : notFound(`This ${one.replace(/^an? /, '')}`);
  return true;
}
