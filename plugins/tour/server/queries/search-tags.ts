import { sql, type SqlBool } from 'kysely';
import { atLocation, type Caller } from '#core/server';
import type { SearchMatch, TagHit, TagType } from '#plugins/tour';
import { listSimilarPatterns, toSearchPatterns } from './search-key.ts';
import { isSeenFrom } from './tags.ts';
import { tourAt, type TourContext } from './tour-at.ts';

const maxHits = 50;
/** Few similar tags help, because their order is a guess. */
const maxSimilarHits = 10;

/**
 * Finds tags and lines at accessible locations that belong to the tour or are visible from its nodes: those whose
 * number begins with the text, then those whose number or description contains it. If there are none, allows for one
 * typing error.
 */
export async function findTags(
  context: TourContext,
  caller: Caller,
  location: string,
  { text, type }: { readonly text: string; readonly type?: TagType },
): Promise<TagHit[]> {
  const tour = await tourAt(context, location);
  const { key, hasWildcard, prefix, contained, description } = toSearchPatterns(text);
  const accessible = await context.locations.accessibleDescendants(caller, tour.location);
  if (accessible.length === 0) return [];
  const tags = context.tables
    .selectFrom('tag')
    .select(['code as number', 'type', 'kind', 'description'])
    .where('site', '=', tour.site)
    .$if(type !== undefined, (query) => query.where('type', '=', type!))
    .where((where) => where.or([atLocation('tag.location', accessible), isSeenFrom(where, accessible, [tour.uid])]));

  const hasNumber = sql<SqlBool>`${key !== ''}::boolean and search_key like ${contained}`;
  const hits = await tags
    .select(sql<SearchMatch>`case when ${hasNumber} then 'NUMBER' else 'DESCRIPTION' end`.as('match'))
    .where((where) => where.or([hasNumber, where('description', 'ilike', description)]))
    .orderBy(sql`case when not (${hasNumber}) then 2 when search_key like ${prefix} then 0 else 1 end`)
    .orderBy('code')
    .limit(maxHits)
    .execute();
  const similarKeys = listSimilarPatterns(key);
  if (hits.length > 0 || hasWildcard || similarKeys.length === 0) return hits;

  return tags
    .select(sql<SearchMatch>`'SIMILAR'`.as('match'))
    .where((where) =>
      where.or([
        sql<SqlBool>`search_key like any(${similarKeys}::text[])`,
        sql<SqlBool>`description ilike any(${listSimilarPatterns(text.trim())}::text[])`,
      ]),
    )
    .orderBy(sql`similarity(search_key, ${key}) desc`)
    .orderBy('code')
    .limit(maxSimilarHits)
    .execute();
}
