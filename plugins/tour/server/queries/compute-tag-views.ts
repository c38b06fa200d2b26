import { sql, type RawBuilder, type Transaction } from 'kysely';
import { tagReachMetres } from '../../common/tag-views.ts';
import type { TourTables } from '../tables.ts';

const reach = sql`${tagReachMetres}::float8`;
// Rounded to micrometres, because the square of a tiny number is out of range.
const isInReach = sql`abs(node.x - tag.x) <= ${reach} and abs(node.y - tag.y) <= ${reach}
  and abs(node.z - tag.z) <= ${reach}
  and round((node.x - tag.x) * 1e6) ^ 2 + round((node.y - tag.y) * 1e6) ^ 2 + round((node.z - tag.z) * 1e6) ^ 2
    <= (${reach} * 1e6) ^ 2`;

/** True if the views of a tag or node are up to date. Outdated views are not shown. */
const isSettled = (uid: string, type: 'TAG' | 'NODE'): RawBuilder<boolean> => sql<boolean>`
  not exists (select from tour.moved_place as moved where moved.type = ${type} and moved.uid = ${sql.ref(uid)})`;

/** True if a row of `tag_view` is up to date. */
export const isViewSettled = sql<boolean>`
  (${isSettled('tag_view.tag', 'TAG')} and ${isSettled('tag_view.node', 'NODE')})`;

/** True while views of a row of `tag` are not computed yet. */
export const areViewsPending = sql<boolean>`exists (
  select from tour.moved_place as moved
  where (moved.type = 'TAG' and moved.uid = tag.uid) or (moved.type = 'NODE' and moved.site = tag.site))`;

/**
 * Computes which nodes see these tags, and which tags these nodes see. Tags without a position keep their views unless
 * the position was removed. Skips pairs with tags and nodes in `moved_place`, which the job computes.
 */
export async function computeTagViews(
  transaction: Transaction<TourTables>,
  { tags, nodes }: { readonly tags: readonly string[]; readonly nodes: readonly string[] },
): Promise<void> {
  const [tagUids, nodeUids] = [sql`${[...tags]}::text[]`, sql`${[...nodes]}::text[]`];
  if (tags.length > 0) {
    await deleteViews(transaction, sql`tag_view.tag = any(${tagUids})`);
    await insertViews(
      transaction,
      sql`
        tour.tag join tour.node on node.site = tag.site and node.x between tag.x - ${reach} and tag.x + ${reach}
        where tag.uid = any(${tagUids}) and ${isInReach} and ${isSettled('node.uid', 'NODE')}`,
    );
  }
  if (nodes.length === 0) return;
  await deleteViews(transaction, sql`tag_view.node = any(${nodeUids}) and tag.x is not null`);
  await insertViews(
    transaction,
    sql`
      tour.node join tour.tag on tag.site = node.site and tag.x between node.x - ${reach} and node.x + ${reach}
      where node.uid = any(${nodeUids}) and ${isInReach} and ${isSettled('tag.uid', 'TAG')}`,
  );
}

/** Deletes the selected views whose tag is out of reach. */
async function deleteViews(transaction: Transaction<TourTables>, condition: RawBuilder<unknown>): Promise<void> {
  await sql`
    delete from tour.tag_view using tour.tag, tour.node
    where ${condition} and tag_view.tag = tag.uid and tag_view.node = node.uid
      and (tag.x is null or node.site <> tag.site or not (${isInReach}))`.execute(transaction);
}

async function insertViews(transaction: Transaction<TourTables>, pairs: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into tour.tag_view (tag, node, pan, tilt, distance, visible)
    select tag, node, degrees(atan2(east, north)) + case when atan2(east, north) < 0 then 360 else 0 end,
      degrees(atan2(up, sqrt(east ^ 2 + north ^ 2))), sqrt(east ^ 2 + north ^ 2 + up ^ 2), null
    from (
      select tag.uid as tag, node.uid as node, round((tag.x - node.x) * 1e6) / 1e6 as east,
        round((tag.y - node.y) * 1e6) / 1e6 as north, round((tag.z - node.z) * 1e6) / 1e6 as up
      from ${pairs}
    ) as pair
    on conflict (node, tag) do update set pan = excluded.pan, tilt = excluded.tilt, distance = excluded.distance,
      visible = null, given = null`.execute(transaction);
}
