import { sql } from 'kysely';
import { atLocation } from '#core/server';
import type { NodePlace } from '#plugins/tour';
import { tablesOf, toursAtEach, type TourContext } from './tour-at.ts';

/**
 * For each location the nodes of the tour there, or of all below where there is none, that stand there, below or above;
 * two queries for any number of locations.
 */
export async function nodesAtEach(
  context: Pick<TourContext, 'database' | 'locations'>,
  locations: readonly string[],
): Promise<ReadonlyMap<string, readonly NodePlace[]>> {
  const toursByLocation = await toursAtEach(context, locations);
  const tours = [...new Set([...toursByLocation.values()].flat())];
  if (tours.length === 0) return new Map();
  const related = new Map(
    await Promise.all(
      [...toursByLocation.keys()].map(
        async (location) => [location, new Set(await context.locations.related(location))] as const,
      ),
    ),
  );
  const rows = await tablesOf(context)
    .selectFrom('node')
    .select(['uid', 'code', 'name', 'tour', 'location', 'x', 'y', 'z'])
    .where(sql<boolean>`tour = any(${tours}::text[])`)
    .where(atLocation('location', [...new Set([...related.values()].flatMap((uids) => [...uids]))]))
    .orderBy('position')
    .execute();
  const nodesByTour = new Map<string, NodePlace[]>(tours.map((tour) => [tour, []]));
  for (const { x, y, z, tour, ...node } of rows) nodesByTour.get(tour)?.push({ ...node, position: [x, y, z] });
  return new Map(
    [...toursByLocation].map(([location, uids]) => [
      location,
      uids.flatMap((uid) => (nodesByTour.get(uid) ?? []).filter((node) => related.get(location)?.has(node.location))),
    ]),
  );
}
