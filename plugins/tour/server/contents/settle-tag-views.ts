import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { ServerContext } from '#core/server';
import { checkTagViewsJob, hasRangeImage, type CheckTagViewsPayload } from '../jobs/check-tag-views.ts';
import { computeTagViews } from '../queries/compute-tag-views.ts';
import type { TourTables } from '../tables.ts';

/** The changed rows of a table. */
type Rows = readonly Readonly<Record<string, unknown>>[];

const placeColumns = ['site', 'x', 'y', 'z'] as const;
/** What the view of a tag depends on. */
const tagColumns = [...placeColumns, 'kind'];
const nodeColumns = [...placeColumns, 'heading', 'range_file'];

/** A change of more tags and nodes does not wait for their views. */
export const maxSettledPlaces = 100;

export interface MovedPlaces {
  /** Uids of tags, and of nodes. */
  readonly tags: readonly string[];
  readonly nodes: readonly string[];
}

/** Finds the tags and nodes that were created, or whose place, kind or range image has changed. */
export function findMovedPlaces(
  changed: { readonly tag: Rows; readonly node: Rows },
  former: { readonly tag: Rows; readonly node: Rows },
): MovedPlaces {
  const placed = new Set(former.tag.flatMap(({ uid, x }) => (x === null ? [] : [uid])));
  return {
    // A tag that never had a position keeps the views that it was delivered with.
    tags: listChanged(
      changed.tag.filter(({ uid, x }) => x !== null || placed.has(uid)),
      former.tag,
      tagColumns,
    ),
    nodes: listChanged(changed.node, former.node, nodeColumns),
  };
}

function listChanged(changed: Rows, former: Rows, columns: readonly string[]): readonly string[] {
  const before = new Map(former.map((row) => [row['uid'], row]));
  return changed.flatMap((row) => {
    const { uid } = row;
    const old = before.get(uid);
    // The journal describes a deleted row by its former columns. Its views are deleted with it.
    return typeof uid === 'string' && (!old || columns.some((column) => row[column] !== old[column])) ? [uid] : [];
  });
}

/**
 * Computes which nodes see these tags, and which tags these nodes see, by their distance. A job then finds by range
 * images what is hidden. The views of many are computed by the job as well: none of them is shown until then.
 */
export async function settleTagViews(
  { jobs }: Pick<ServerContext<TourTables>, 'jobs'>,
  transaction: Transaction<TourTables>,
  moved: MovedPlaces,
): Promise<void> {
  const count = moved.tags.length + moved.nodes.length;
  if (count === 0) return;
  if (count > maxSettledPlaces) await postponeViews(transaction, moved);
  else await computeTagViews(transaction, moved);
  if (count > maxSettledPlaces || (await hasUncheckedViews(transaction)))
    await jobs.start<CheckTagViewsPayload>(checkTagViewsJob, {}, null, transaction);
}

async function postponeViews(transaction: Transaction<TourTables>, { tags, nodes }: MovedPlaces): Promise<void> {
  const insert = (type: 'TAG' | 'NODE', rows: RawBuilder<unknown>): Promise<unknown> =>
    sql`
      insert into tour.moved_place (uid, site, type) select uid, site, ${type}::text from (${rows}) as place
      on conflict (type, uid) do update set site = excluded.site`.execute(transaction);
  await insert('TAG', sql`select uid, site from tour.tag where uid = any(${[...tags]}::text[])`);
  await insert('NODE', sql`select uid, site from tour.node where uid = any(${[...nodes]}::text[])`);
}

/** Whether there are views that a range image can check. */
async function hasUncheckedViews(transaction: Transaction<TourTables>): Promise<boolean> {
  const { rows } = await sql`
    select 1 from tour.node
    where exists (select 1 from tour.tag_view where tag_view.node = node.uid and visible is null) and ${hasRangeImage}
    limit 1`.execute(transaction);
  return rows.length > 0;
}
