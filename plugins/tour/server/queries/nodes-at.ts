import { atLocation } from '#core/server';
import type { NodePlace } from '#plugins/tour';
import { tablesOf, toursAt, type TourContext } from './tour-at.ts';

/** The nodes of the tour at a location, or of all below where there is none, that stand there, below or above. */
export async function nodesAt(
  context: Pick<TourContext, 'database' | 'locations'>,
  location: string,
): Promise<NodePlace[]> {
  const tours = await toursAt(context, location);
  if (tours.length === 0) return [];
  const nodes = await tablesOf(context)
    .selectFrom('node')
    .select(['uid', 'code', 'name', 'location', 'x', 'y', 'z'])
    .where('tour', 'in', tours)
    .where(atLocation('location', await context.locations.related(location)))
    .orderBy('tour')
    .orderBy('position')
    .execute();
  return nodes.map(({ x, y, z, ...node }) => ({ ...node, position: [x, y, z] }));
}
