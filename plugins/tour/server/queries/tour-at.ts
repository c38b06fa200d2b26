import { locationPath, type LocationRow } from '#core';
import { notFound, type Caller, type ServerContext } from '#core/server';
import { tourSchema, type TourTables } from '../tables.ts';

export type TourContext = Pick<ServerContext, 'database' | 'locations' | 'sites' | 'files'>;

export const tablesOf = (context: Pick<ServerContext, 'database'>) => context.database.of<TourTables>(tourSchema);

export type TourRow = TourTables['tour'];

/** The tour of a location or of the nearest location above it. Throws 404. */
export async function tourAt(context: TourContext, location: string): Promise<TourRow> {
  const rows = new Map((await context.locations.all()).map((row): readonly [string, LocationRow] => [row.uid, row]));
  const path = locationPath(rows, location).map((row) => row.uid);
  const tours =
    path.length === 0
      ? []
      : await tablesOf(context).selectFrom('tour').selectAll().where('location', 'in', path).execute();
  const [nearest] = tours.toSorted((a, b) => path.indexOf(b.location) - path.indexOf(a.location));
  if (!nearest) throw notFound('A tour of this location');
  return nearest;
}

/** Of the tour that is there or above, or where there is none, of all below. */
export async function tourCodesAt(
  context: Pick<TourContext, 'database' | 'locations'>,
  location: string,
): Promise<string[]> {
  const rows = new Map((await context.locations.all()).map((row): readonly [string, LocationRow] => [row.uid, row]));
  const path = locationPath(rows, location).map((row) => row.uid);
  const tours = await tablesOf(context).selectFrom('tour').select(['code', 'location']).execute();
  const [nearest] = tours
    .filter((tour) => path.includes(tour.location))
    .toSorted((a, b) => path.indexOf(b.location) - path.indexOf(a.location));
  if (nearest) return [nearest.code];
  return tours
    .filter((tour) => locationPath(rows, tour.location).some(({ uid }) => uid === location))
    .map(({ code }) => code);
}

/**
 * Whether the caller reaches a location: asked once for each. Someone whose roles reach one deck of a unit sees that
 * deck's nodes and tags alone.
 */
export function reachOf(context: TourContext, caller: Caller): (location: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return (location) => {
    const reached = known.get(location) ?? context.locations.canAccess(caller, location);
    known.set(location, reached);
    return reached;
  };
}

export async function filterReached<T extends { readonly location: string }>(
  rows: readonly T[],
  reaches: (location: string) => Promise<boolean>,
): Promise<readonly T[]> {
  const reached = await Promise.all(rows.map((row) => reaches(row.location)));
  return rows.filter((_, index) => reached[index]);
}
