import { sql } from 'kysely';
import { atLocation, type Caller } from '#core/server';
import { getAccessibleNode, tourAt, type TourContext } from './tour-at.ts';

/** Lists the uids of the accessible nodes of the location's tour that a person has visited, by first visit. */
export async function listVisitedUids(context: TourContext, caller: Caller, location: string): Promise<string[]> {
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

/**
 * Records a visit.
 *
 * @throws 404 if the node is not accessible or belongs to another tour
 */
export async function saveVisit(context: TourContext, caller: Caller, location: string, uid: string): Promise<void> {
  const { uid: node } = await getAccessibleNode(context, caller, location, uid);
  const now = new Date();
  await context.tables
    .insertInto('visited_node')
    .values({ person: caller.uid, node, visits: 1, first_at: now, last_at: now })
    .onConflict((conflict) =>
      conflict.columns(['person', 'node']).doUpdateSet({ visits: sql<number>`visited_node.visits + 1`, last_at: now }),
    )
    .execute();
}
