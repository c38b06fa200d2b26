import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely';
import type { CursorPage } from '#core/api';
import { atLocation, invalidRequest, noAccess, notFound, type Caller } from '#core/server';
import type { AnnotateTables } from '../tables.ts';
import type { AnnotateContext } from './annotate-context.ts';

const rowsPerPage = 200;

/** Selects these rows, or the page after a cursor. */
export interface ListQuery {
  readonly after?: string;
  readonly uids?: readonly string[];
}

type ListedTable = 'annotation' | 'measurement' | 'snapshot';
type ListedRow<Table extends ListedTable> = Selectable<AnnotateTables[Table]>;

/**
 * A page of the caller's own rows and the shared ones at a location and below it, within the caller's access, newest
 * first. Takes two queries for any number of rows.
 *
 * @param condition further restriction
 */
export async function listVisible<Table extends ListedTable>(
  context: AnnotateContext,
  table: Table,
  { caller, location, after, uids }: ListQuery & { readonly caller: Caller; readonly location: string },
  condition: RawBuilder<SqlBool> = sql`true`,
): Promise<CursorPage<ListedRow<Table>>> {
  const visible = await visibleAtOrBelow(context, caller, location);
  // All item tables have the columns that a list needs.
  const listed = context.tables
    .selectFrom(table as 'annotation')
    .where(visible)
    .where(condition)
    .$if(uids !== undefined, (query) => query.where('uid', 'in', uids ?? []));
  const [found, { total }] = await Promise.all([
    listed
      .$if(after !== undefined, (query) => query.where(isAfter(after ?? '')))
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('uid')
      .limit(rowsPerPage + 1)
      .execute(),
    listed.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
  ]);
  const rows = found.slice(0, rowsPerPage);
  const last = found.length > rowsPerPage ? rows.at(-1) : undefined;
  return {
    rows: rows as unknown as ListedRow<Table>[],
    total: Number(total),
    next: last ? `${last.created_at.toISOString()}_${last.uid}` : null,
  };
}

/** For tables with `location`, `author` and `shared`. */
async function visibleAtOrBelow(
  context: AnnotateContext,
  caller: Caller,
  location: string,
): Promise<RawBuilder<SqlBool>> {
  const locations = await context.locations.accessibleDescendants(caller, location);
  return sql<SqlBool>`${atLocation('location', locations)} and (author = ${caller.uid} or shared)`;
}

/** @throws 400 if the cursor has no valid instant */
function isAfter(cursor: string): RawBuilder<SqlBool> {
  const [instant = '', uid = ''] = cursor.split('_');
  const createdAt = new Date(instant);
  if (Number.isNaN(createdAt.getTime())) throw invalidRequest('This cursor is not one of this list.');
  return sql<SqlBool>`(created_at < ${createdAt} or (created_at = ${createdAt} and uid > ${uid}))`;
}

interface OwnedRow {
  readonly author: string;
  readonly shared: boolean;
}

/** The author can change a row; people with the flag `configure` can change shared rows. */
export function canChange({ author, shared }: OwnedRow, caller: Caller): boolean {
  return author === caller.uid || (shared && caller.access.flags.includes('configure'));
}

/**
 * @param one with its article, such as `a measurement`
 * @throws 403 for a shared row that the caller may not change, 404 for another person's private one
 */
export function assertDeletable(row: OwnedRow, caller: Caller, one: string): void {
  if (canChange(row, caller)) return;
  throw row.shared
    ? noAccess(`Only the author of ${one} and people with the configure right can delete it.`)
    : notFound(`This ${one.replace(/^an? /, '')}`);
}
