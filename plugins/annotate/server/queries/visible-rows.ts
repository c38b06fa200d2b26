import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely';
import type { CursorPage } from '#core/api';
import { atLocation, invalidRequest, noAccess, notFound, type Caller } from '#core/server';
import type { AnnotateTables } from '../tables.ts';
import type { AnnotateContext } from './annotate-context.ts';

const rowsPerPage = 200;

/** Selects the rows with the given uids, or the page after a cursor. */
export interface ListQuery {
  readonly after?: string;
  readonly uids?: readonly string[];
}

type ListedTable = 'annotation' | 'measurement' | 'snapshot';
type ListedRow<Table extends ListedTable> = Selectable<AnnotateTables[Table]>;

/**
 * Lists a page of the caller's own rows and of shared rows, newest first, at a location and at accessible locations
 * below it. It needs two queries for any number of rows.
 *
 * @param condition an additional restriction
 */
export async function listVisible<Table extends ListedTable>(
  context: AnnotateContext,
  table: Table,
  { caller, location, after, uids }: ListQuery & { readonly caller: Caller; readonly location: string },
  condition: RawBuilder<SqlBool> = sql`true`,
): Promise<CursorPage<ListedRow<Table>>> {
  const visibleCondition = await visibleAtOrBelow(context, caller, location);
  // All item tables have the columns that the list uses.
  const visibleRows = context.tables
    .selectFrom(table as 'annotation')
    .where(visibleCondition)
    .where(condition)
    .$if(uids !== undefined, (query) => query.where('uid', 'in', uids ?? []));
  const [rowsWithNext, { total }] = await Promise.all([
    visibleRows
      .$if(after !== undefined, (query) => query.where(isAfter(after ?? '')))
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('uid')
      .limit(rowsPerPage + 1)
      .execute(),
    visibleRows.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
  ]);
  const rows = rowsWithNext.slice(0, rowsPerPage);
  const lastRow = rowsWithNext.length > rowsPerPage ? rows.at(-1) : undefined;
  return {
    rows: rows as unknown as ListedRow<Table>[],
    total: Number(total),
    next: lastRow ? `${lastRow.created_at.toISOString()}_${lastRow.uid}` : null,
  };
}

/** Builds the condition for visible rows of a table with the columns `location`, `author` and `shared`. */
async function visibleAtOrBelow(
  context: AnnotateContext,
  caller: Caller,
  location: string,
): Promise<RawBuilder<SqlBool>> {
  const locations = await context.locations.accessibleDescendants(caller, location);
  return sql<SqlBool>`${atLocation('location', locations)} and (author = ${caller.uid} or shared)`;
}

/**
 * Builds the condition for rows after a cursor.
 *
 * @throws 400 if the cursor has no valid instant
 */
function isAfter(cursor: string): RawBuilder<SqlBool> {
  const [instant = '', uid = ''] = cursor.split('_');
  const createdAt = new Date(instant);
  if (Number.isNaN(createdAt.getTime())) throw invalidRequest('The cursor of the list is invalid.');
  return sql<SqlBool>`(created_at < ${createdAt} or (created_at = ${createdAt} and uid > ${uid}))`;
}

interface OwnedRow {
  readonly author: string;
  readonly shared: boolean;
}

/** Whether the caller is the author, or has the flag `configure` and the row is shared. */
export function canChange({ author, shared }: OwnedRow, caller: Caller): boolean {
  return author === caller.uid || (shared && caller.access.flags.includes('configure'));
}

/**
 * @param itemType the type of the item with its article, such as `a measurement`
 * @throws 403 for a shared row that the caller may not change, or 404 for another person's private row
 */
export function assertDeletable(row: OwnedRow, caller: Caller, itemType: string): void {
  if (canChange(row, caller)) return;
  throw row.shared
    ? noAccess(`Only the author of ${itemType} and people with the configure right can delete it.`)
    : notFound(`This ${itemType.replace(/^an? /, '')}`);
}
