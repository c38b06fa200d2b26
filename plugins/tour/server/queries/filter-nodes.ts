import { sql } from 'kysely';
import type { TourContext } from './tour-at.ts';

/** Returns the uids that belong to nodes of the location's site. */
export async function filterNodes(
  context: Pick<TourContext, 'tables' | 'locations'>,
  location: string,
  uids: readonly string[],
): Promise<ReadonlySet<string>> {
  const site = await context.locations.findSite(location);
  if (site === undefined) return new Set();
  const rows = await context.tables
    .selectFrom('node')
    .select('uid')
    .where('site', '=', site)
    .where(sql<boolean>`uid = any(${[...uids]}::text[])`)
    .execute();
  return new Set(rows.map(({ uid }) => uid));
}
