import { sql } from 'kysely';
import { notFound, type Caller } from '#core/server';
import { tablesOf, tourAt, type TourContext } from './tour-at.ts';

/** Codes of the nodes of a tour that a person has been at, the first ones first. */
export async function visitedNodes(context: TourContext, caller: Caller, tour: string): Promise<string[]> {
  const rows = await tablesOf(context)
    .selectFrom('visited_node')
    .innerJoin('node', 'node.code', 'visited_node.node')
    .select('visited_node.node')
    .where('visited_node.person', '=', caller.uid)
    .where('node.tour', '=', tour)
    .orderBy('visited_node.first_at')
    .orderBy('node.position')
    .execute();
  return rows.map((row) => row.node);
}

/**
 * Notes a visit. Throws 404 where the tour of the location has no such node, or it lies where the caller does not
 * reach.
 */
export async function noteVisit(
  context: TourContext,
  caller: Caller,
  location: string,
  node: string,
): Promise<string[]> {
  const tour = await tourAt(context, location);
  const tables = tablesOf(context);
  const found = await tables
    .selectFrom('node')
    .select('location')
    .where('code', '=', node)
    .where('tour', '=', tour.code)
    .executeTakeFirst();
  if (!found || !(await context.locations.canAccess(caller, found.location))) throw notFound('This node');
  const now = new Date();
  await tables
    .insertInto('visited_node')
    .values({ person: caller.uid, node, visits: 1, first_at: now, last_at: now })
    .onConflict((conflict) =>
      conflict.columns(['person', 'node']).doUpdateSet({ visits: sql<number>`visited_node.visits + 1`, last_at: now }),
    )
    .execute();
  return visitedNodes(context, caller, tour.code);
}
