import { atLocation, type Caller } from '#core/server';
import type { TourContext } from './tour-at.ts';

/** Lists the accessible locations whose tour (see `tourAt`) has a node at an accessible location. */
export async function listTourLocationUids(
  { tables, locations }: Pick<TourContext, 'tables' | 'locations'>,
  caller: Caller,
): Promise<string[]> {
  const accessibleLocations = await locations.accessible(caller);
  const tours = await tables
    .selectFrom('tour')
    .select(({ exists, selectFrom }) => [
      'tour.location',
      exists(
        selectFrom('node')
          .select('node.uid')
          .whereRef('node.tour', '=', 'tour.uid')
          .where('node.panorama_file', 'is not', null)
          .where(atLocation('node.location', accessibleLocations)),
      ).as('has_nodes'),
    ])
    .execute();
  const hasNodesByLocation = new Map(tours.map(({ location, has_nodes }) => [location, Boolean(has_nodes)]));
  const tourLocations = await Promise.all(
    accessibleLocations.map(async (uid) => {
      const nearest = (await locations.ancestors(uid)).find((ancestor) => hasNodesByLocation.has(ancestor));
      return nearest !== undefined && hasNodesByLocation.get(nearest) ? [uid] : [];
    }),
  );
  return tourLocations.flat();
}
