import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { atLocation } from '#core/server';
import type { NodePosition } from '#plugins/tour';
import { toursAtEach, type TourContext } from './tour-at.ts';

/**
 * Lists for each location the nodes of its tour (or of all tours below, if it has none) at the location, below it or
 * above it. Runs two queries for any number of locations.
 */
export async function nodesAtEach(
  context: Pick<TourContext, 'tables' | 'locations'>,
  locations: readonly string[],
): Promise<ReadonlyMap<string, readonly NodePosition[]>> {
  const toursByLocation = await toursAtEach(context, locations);
  const tours = [...new Set([...toursByLocation.values()].flat())];
  if (tours.length === 0) return new Map();
  const relatedByLocation = await listRelatedLocations(context, [...toursByLocation.keys()]);
  const rows = await context.tables
    .selectFrom('node')
    .select(['uid', 'code', 'name', 'tour', 'location', 'x', 'y', 'z'])
    .where(sql<boolean>`tour = any(${tours}::text[])`)
    .where('panorama_file', 'is not', null)
    .where(atLocation('location', [...new Set([...relatedByLocation.values()].flatMap((uids) => [...uids]))]))
    .orderBy('position')
    .execute();
  const nodesByTour = new Map<string, NodePosition[]>(tours.map((tour) => [tour, []]));
  for (const { x, y, z, tour, ...node } of rows) nodesByTour.get(tour)?.push({ ...node, position: [x, y, z] });
  return new Map(
    [...toursByLocation].map(([location, uids]) => [
      location,
      uids.flatMap((uid) =>
        (nodesByTour.get(uid) ?? []).filter((node) => relatedByLocation.get(location)?.has(node.location)),
      ),
    ]),
  );
}

/**
 * Returns a version that changes with the nodes that `nodesAtEach` finds. Hashing `xmin`, the transaction that last
 * wrote a row, is much cheaper than reading the nodes.
 */
export async function nodesVersion(
  context: Pick<TourContext, 'tables' | 'locations'>,
  locations: readonly string[],
): Promise<string> {
  const toursByLocation = await toursAtEach(context, locations);
  const relatedByLocation = await listRelatedLocations(context, [...toursByLocation.keys()]);
  const nodes = await context.tables
    .selectFrom('node')
    .select(sql<string | null>`md5(string_agg(uid || xmin::text, ',' order by uid collate "C"))`.as('hash'))
    .where(sql<boolean>`tour = any(${[...new Set([...toursByLocation.values()].flat())]}::text[])`)
    .executeTakeFirst();
  return createHash('sha256')
    .update(JSON.stringify([[...toursByLocation], [...relatedByLocation].map(([, uids]) => [...uids]), nodes?.hash]))
    .digest('base64url');
}

async function listRelatedLocations(
  { locations: tree }: Pick<TourContext, 'locations'>,
  locations: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  return new Map(
    await Promise.all(locations.map(async (location) => [location, new Set(await tree.related(location))] as const)),
  );
}
