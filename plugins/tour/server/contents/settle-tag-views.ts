import { sql, type Transaction } from 'kysely';
import type { ServerContext } from '#core/server';
import { tagReachMetres } from '../../common/tag-views.ts';
import { checkTagViewsJob, type CheckTagViewsPayload } from '../jobs/check-tag-views.ts';
import type { TourTables } from '../tables.ts';

/** The changed rows of a table. */
type Rows = readonly Readonly<Record<string, unknown>>[];

const placeColumns = ['site', 'x', 'y', 'z'] as const;
/** What the view of a tag depends on. */
const tagColumns = [...placeColumns, 'kind'];
const nodeColumns = [...placeColumns, 'heading', 'range_file'];

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
 * images what is hidden. Tags without a position keep their views unless the position was removed.
 */
export async function settleTagViews(
  { jobs }: Pick<ServerContext<TourTables>, 'jobs'>,
  transaction: Transaction<TourTables>,
  { tags, nodes }: MovedPlaces,
): Promise<void> {
  if (tags.length === 0 && nodes.length === 0) return;
  const [tagUids, nodeUids] = [sql`${[...tags]}::text[]`, sql`${[...nodes]}::text[]`];
  const reach = sql`${tagReachMetres}::float8`;
  const isInReach = sql`abs(node.x - tag.x) <= ${reach} and abs(node.y - tag.y) <= ${reach}
    and abs(node.z - tag.z) <= ${reach}
    and round((node.x - tag.x) * 1e6) ^ 2 + round((node.y - tag.y) * 1e6) ^ 2 + round((node.z - tag.z) * 1e6) ^ 2
      <= (${reach} * 1e6) ^ 2`;
  await sql`
    delete from tour.tag_view using tour.tag, tour.node
    where tag_view.tag = tag.uid and tag_view.node = node.uid
      and (tag_view.tag = any(${tagUids}) or (tag_view.node = any(${nodeUids}) and tag.x is not null))
      and (tag.x is null or node.site <> tag.site or not (${isInReach}))`.execute(transaction);
  const pairs = sql`
    from tour.tag join tour.node on node.site = tag.site
      and tag.x between node.x - ${reach} and node.x + ${reach} and ${isInReach}`;
  // Rounded to micrometres, because the square of a tiny number is out of range.
  const columns = sql`tag.uid as tag, node.uid as node, round((tag.x - node.x) * 1e6) / 1e6 as east,
    round((tag.y - node.y) * 1e6) / 1e6 as north, round((tag.z - node.z) * 1e6) / 1e6 as up`;
  // Two parts, because each has an index.
  await sql`
    insert into tour.tag_view (tag, node, pan, tilt, distance, visible)
    select tag, node, degrees(atan2(east, north)) + case when atan2(east, north) < 0 then 360 else 0 end,
      degrees(atan2(up, sqrt(east ^ 2 + north ^ 2))), sqrt(east ^ 2 + north ^ 2 + up ^ 2), null
    from (
      select ${columns} ${pairs} where tag.uid = any(${tagUids})
      union
      select ${columns} ${pairs} where node.uid = any(${nodeUids})
    ) as pair
    on conflict (node, tag) do update set pan = excluded.pan, tilt = excluded.tilt, distance = excluded.distance,
      visible = null`.execute(transaction);
  await startCheck(jobs, transaction);
}

/** Starts the job that checks views by range images, if there are any to check. */
async function startCheck(
  jobs: Pick<ServerContext<TourTables>, 'jobs'>['jobs'],
  transaction: Transaction<TourTables>,
): Promise<void> {
  const { rows } = await sql`
    select 1 from tour.node
    where exists (select 1 from tour.tag_view where tag_view.node = node.uid and visible is null)
      and (range_file is not null
        or exists (select 1 from tour.capture where capture.node = node.uid and capture.range_file is not null))
    limit 1`.execute(transaction);
  if (rows.length > 0) await jobs.start<CheckTagViewsPayload>(checkTagViewsJob, {}, null, transaction);
}
