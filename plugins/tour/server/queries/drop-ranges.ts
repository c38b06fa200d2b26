import { sql, type Transaction } from 'kysely';
import type { TourTables } from '../tables.ts';

/** SQL of the value of `range_pose`: the numbers of a pose as text. */
export const toRangePose = (table: 'node' | 'capture') =>
  sql<string>`concat_ws(' ', node.x, node.y, node.z, ${sql.ref(`${table}.heading`)})`;

/** SQL assignments that remove the ranges of a panorama. */
export const withoutRanges = (table: 'node' | 'capture') => sql`
  range_file = null, range_source = null, range_pose = null,
  pyramid = (${sql.ref(`${table}.pyramid`)} - 'ranges') || '{"mesh": false}'::jsonb`;

/** Removes computed range images of nodes whose pose was changed after the computation. */
export async function dropStaleRanges(transaction: Transaction<TourTables>, nodes: readonly string[]): Promise<void> {
  if (nodes.length === 0) return;
  await sql`
    update tour.node set ${withoutRanges('node')}
    where uid = any(${[...nodes]}::text[]) and range_pose is distinct from ${toRangePose('node')}
      and range_source is not null`.execute(transaction);
  await sql`
    update tour.capture set ${withoutRanges('capture')} from tour.node
    where node.uid = capture.node and node.uid = any(${[...nodes]}::text[])
      and capture.range_pose is distinct from ${toRangePose('capture')}
      and capture.range_source is not null`.execute(transaction);
}
