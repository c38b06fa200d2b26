import { locationPath } from '#core';
import type { NodePlace } from '#plugins/tour';
import { tablesOf, tourCodesAt, type TourContext } from './tour-at.ts';

/** The nodes of the tour at a location, or of all below where there is none, that stand there, below or above. */
export async function nodesAt(
  context: Pick<TourContext, 'database' | 'locations'>,
  location: string,
): Promise<NodePlace[]> {
  const tours = await tourCodesAt(context, location);
  if (tours.length === 0) return [];
  const rows = new Map((await context.locations.all()).map((row) => [row.uid, row]));
  const above = new Set(locationPath(rows, location).map(({ uid }) => uid));
  const nodes = await tablesOf(context)
    .selectFrom('node')
    .select(['code', 'name', 'location', 'x', 'y', 'z'])
    .where('tour', 'in', tours)
    .orderBy('tour')
    .orderBy('position')
    .execute();
  return nodes
    .filter((node) => above.has(node.location) || locationPath(rows, node.location).some(({ uid }) => uid === location))
    .map(({ code, name, location: at, x, y, z }) => ({ code, name, location: at, position: [x, y, z] }));
}
