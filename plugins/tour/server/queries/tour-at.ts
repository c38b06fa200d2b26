import type { Selectable } from 'kysely';
import { atLocation, notFound, type Caller, type ServerContext } from '#core/server';
import type { TourTables } from '../tables.ts';

export type TourContext = Pick<ServerContext<TourTables>, 'tables' | 'locations' | 'sites' | 'files'>;

export type TourRow = Selectable<TourTables['tour']>;

/**
 * Finds the tour of a location or of its nearest ancestor.
 *
 * @throws 404
 */
export async function tourAt(context: Pick<TourContext, 'tables' | 'locations'>, location: string): Promise<TourRow> {
  const path = await context.locations.ancestors(location);
  const tours =
    path.length === 0
      ? []
      : await context.tables.selectFrom('tour').selectAll().where(atLocation('location', path)).execute();
  const [nearest] = tours.toSorted((a, b) => path.indexOf(a.location) - path.indexOf(b.location));
  if (!nearest) throw notFound('A tour of this location');
  return nearest;
}

/**
 * Lists the uid of the tour of the location or of its nearest ancestor. If there is none, lists the uids of all tours
 * below the location.
 */
export async function toursAt(context: Pick<TourContext, 'tables' | 'locations'>, location: string): Promise<string[]> {
  return (await toursAtEach(context, [location])).get(location) ?? [];
}

/** `toursAt` for many locations in one query. */
export async function toursAtEach(
  context: Pick<TourContext, 'tables' | 'locations'>,
  locations: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const paths = await Promise.all(
    [...new Set(locations)].map(async (location) => ({
      location,
      ancestors: await context.locations.ancestors(location),
      related: await context.locations.related(location),
    })),
  );
  const rows = await context.tables
    .selectFrom('tour')
    .select(['uid', 'location'])
    .where(atLocation('location', [...new Set(paths.flatMap(({ related }) => related))]))
    .orderBy('uid')
    .execute();
  // A location has at most one tour.
  const tours = new Map(rows.map(({ uid, location }) => [location, uid]));
  return new Map(
    paths.map(({ location, ancestors, related }) => {
      const nearest = ancestors.find((uid) => tours.has(uid));
      return [location, (nearest === undefined ? related : [nearest]).flatMap((uid) => tours.get(uid) ?? [])];
    }),
  );
}

/**
 * Finds a node of the tour at a location.
 *
 * @throws 404 if it does not exist or its location is not accessible
 */
export async function getAccessibleNode(
  context: TourContext,
  caller: Caller,
  location: string,
  uid: string,
): Promise<Selectable<TourTables['node']>> {
  const tour = await tourAt(context, location);
  const node = await context.tables
    .selectFrom('node')
    .selectAll()
    .where('uid', '=', uid)
    .where('tour', '=', tour.uid)
    .where('panorama_file', 'is not', null)
    .executeTakeFirst();
  if (!node || !(await context.locations.canAccess(caller, node.location))) throw notFound('This node');
  return node;
}
