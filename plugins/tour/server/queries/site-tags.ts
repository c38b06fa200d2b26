import { sql } from 'kysely';
import type { SiteTag } from '#plugins/tour';
import type { TourContext } from './tour-at.ts';

/** Lists all tags and lines of the location's site with their numbers, sorted by number, in two queries. */
export async function siteTags(
  { tables, locations }: Pick<TourContext, 'tables' | 'locations'>,
  location: string,
): Promise<readonly SiteTag[]> {
  const site = await locations.findSite(location);
  if (site === undefined) return [];
  return tables
    .selectFrom('tag')
    .leftJoin('code', (join) =>
      join.onRef('code.entity', '=', 'tag.uid').on('code.kind', '=', 'TAG').on('code.site', '=', site),
    )
    .select(['tag.uid', 'tag.code as number', 'tag.type', 'tag.location', 'tag.x', 'tag.y', 'tag.z'])
    .select(sql<string[]>`array_agg(coalesce(code.code, tag.code))`.as('numbers'))
    .where('tag.site', '=', site)
    .groupBy('tag.uid')
    .orderBy('tag.code')
    .execute()
    .then((rows) =>
      rows.map(({ x, y, z, ...tag }) => ({
        ...tag,
        position: x === null || y === null || z === null ? null : [x, y, z],
      })),
    );
}
