import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { ServerContext } from '#core/server';
import { checkTagViewsJob, hasRangeImage, type CheckTagViewsPayload } from '../jobs/check-tag-views.ts';
import { computeTagViews } from '../queries/compute-tag-views.ts';
import type { TourTables } from '../tables.ts';

/** The changed rows of a table. */
type Rows = readonly Readonly<Record<string, unknown>>[];

const positionColumns = ['site', 'x', 'y', 'z'] as const;
/** The columns that views of tags depend on. */
const tagColumns = [...positionColumns, 'kind'];
const nodeColumns = [...positionColumns, 'heading', 'range_file'];

/** If more tags and nodes are moved, a job computes their views after the change. */
export const maxSettledSubjects = 100;

export interface MovedSubjects {
  /** Uids of tags, and of nodes. */
  readonly tags: readonly string[];
  readonly nodes: readonly string[];
}

/** Finds tags and nodes that were created, or whose position, kind or range image was changed. */
export function findMovedSubjects(
  changedRows: { readonly tag: Rows; readonly node: Rows },
  formerRows: { readonly tag: Rows; readonly node: Rows },
): MovedSubjects {
  const placedUids = new Set(formerRows.tag.flatMap(({ uid, x }) => (x === null ? [] : [uid])));
  return {
    // A tag without a position keeps the views that were imported with it.
    tags: listChanged(
      changedRows.tag.filter(({ uid, x }) => x !== null || placedUids.has(uid)),
      formerRows.tag,
      tagColumns,
    ),
    nodes: listChanged(changedRows.node, formerRows.node, nodeColumns),
  };
}

function listChanged(changedRows: Rows, formerRows: Rows, columns: readonly string[]): readonly string[] {
  const formerByUid = new Map(formerRows.map((row) => [row['uid'], row]));
  return changedRows.flatMap((row) => {
    const { uid } = row;
    const formerRow = formerByUid.get(uid);
    // For a deleted row, the journal contains the former columns. Its views are deleted with the row.
    return typeof uid === 'string' && (!formerRow || columns.some((column) => row[column] !== formerRow[column]))
      ? [uid]
      : [];
  });
}

/**
 * Computes which nodes see these tags, and which tags these nodes see, by distance. A job then removes hidden views by
 * range images. For many tags and nodes, the job also computes the views, which are not shown until then.
 */
export async function settleTagViews(
  { jobs }: Pick<ServerContext<TourTables>, 'jobs'>,
  transaction: Transaction<TourTables>,
  movedSubjects: MovedSubjects,
): Promise<void> {
  const count = movedSubjects.tags.length + movedSubjects.nodes.length;
  if (count === 0) return;
  if (count > maxSettledSubjects) await postponeViews(transaction, movedSubjects);
  else await computeTagViews(transaction, movedSubjects);
  if (count > maxSettledSubjects || (await hasUncheckedViews(transaction)))
    await jobs.start<CheckTagViewsPayload>(checkTagViewsJob, {}, null, transaction);
}

async function postponeViews(transaction: Transaction<TourTables>, { tags, nodes }: MovedSubjects): Promise<void> {
  const insert = (type: 'TAG' | 'NODE', rows: RawBuilder<unknown>): Promise<unknown> =>
    sql`
      insert into tour.moved_place (uid, site, type) select uid, site, ${type}::text from (${rows}) as place
      on conflict (type, uid) do update set site = excluded.site`.execute(transaction);
  await insert('TAG', sql`select uid, site from tour.tag where uid = any(${[...tags]}::text[])`);
  await insert('NODE', sql`select uid, site from tour.node where uid = any(${[...nodes]}::text[])`);
}

/** True if there are views that a range image can check. */
async function hasUncheckedViews(transaction: Transaction<TourTables>): Promise<boolean> {
  const { rows } = await sql`
    select 1 from tour.node
    where exists (select 1 from tour.tag_view where tag_view.node = node.uid and visible is null) and ${hasRangeImage}
    limit 1`.execute(transaction);
  return rows.length > 0;
}
