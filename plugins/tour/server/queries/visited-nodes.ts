import { sql } from 'kysely';
import { atLocation, type Caller } from '#core/server';
import { accessibleNode, tourAt, type TourContext } from './tour-at.ts';

/** Uids of the nodes of the tour at a location that a person has been at and can access, the first visits first. */
export async function visitedNodes(context: TourContext, caller: Caller, location: string): Promise<string[]> {
  const tour = await tourAt(context, location);
  const rows = await context.tables
    .selectFrom('visited_node')
    .innerJoin('node', 'node.uid', 'visited_node.node')
    .select('visited_node.node')
    .where('visited_node.person', '=', caller.uid)
    .where('node.tour', '=', tour.uid)
    .where(atLocation('node.location', await context.locations.accessibleDescendants(caller, tour.location)))
    .orderBy('visited_node.first_at')
    .orderBy('node.position')
    .execute();
  return rows.map((row) => row.node);
}

/** Notes a visit. Throws 404 where the caller can access no such node of the tour. */
export async function saveVisit(context: TourContext, caller: Caller, location: string, uid: string): Promise<void> {
  const { uid: node } = await accessibleNode(context, caller, location, uid);
  const now = new Date();
  await context.tables
    .insertInto('visited_node')
    .values({ person: caller.uid, node, visits: 1, first_at: now, last_at: now })
    .onConflict((conflict) =>
      conflict.columns(['person', 'node']).doUpdateSet({ visits: sql<number>`visited_node.visits + 1`, last_at: now }),
    )
    .execute();
}
