import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { atLocation, type Caller } from '#core/server';
import type { SearchMatch, TagHit, TagType } from '#plugins/tour';
import { listSimilarPatterns, toSearchPatterns, type SearchPatterns } from './search-key.ts';
import { isSeenFrom } from './tags.ts';
import { tourAt, type TourContext } from './tour-at.ts';

const maxHits = 50;
/** Only few similar tags are returned, because they cannot be ranked. */
const maxSimilarHits = 10;

/** Compares search keys by bytes, like the index of site and key. The trigram index uses the default collation. */
const keyBytes = sql<string>`search_key collate "C"`;
/** Sorts after all letters and digits in byte order. */
const afterKeys = '~';

/**
 * Finds tags and lines at accessible locations that belong to the tour or are visible from its nodes. Exact numbers
 * come first, then numbers that begin with the text, then numbers and descriptions that contain it. If there are none,
 * finds numbers with one typing error.
 */
export async function findTags(
  context: TourContext,
  caller: Caller,
  location: string,
  { text, type }: { readonly text: string; readonly type?: TagType },
): Promise<TagHit[]> {
  const tour = await tourAt(context, location);
  const patterns = toSearchPatterns(text);
  const accessibleLocations = await context.locations.accessibleDescendants(caller, tour.location);
  if (accessibleLocations.length === 0) return [];
  const selectTags = (match: SearchMatch, rank: RawBuilder<number>) =>
    context.tables
      .selectFrom('tag')
      .select(['code as number', 'type', 'kind', 'description'])
      .select([sql<SearchMatch>`${match}::text`.as('match'), rank.as('rank')])
      .where('site', '=', tour.site)
      .$if(type !== undefined, (query) => query.where('type', '=', type!))
      .where((builder) =>
        builder.or([
          atLocation('tag.location', accessibleLocations),
          isSeenFrom(builder, accessibleLocations, [tour.uid]),
        ]),
      );

  const { isPrefix, isContained, isDescribed } = buildConditions(patterns);
  // Descriptions are searched for a short text only if no number matches, because no index supports it.
  // Each query stops after its first rows. One query with all conditions would read and sort every match.
  const byPrefix = selectTags('NUMBER', sql`case when search_key = ${patterns.key} then 0 else 1 end`)
    .where(isPrefix)
    .orderBy(keyBytes)
    .orderBy('code')
    .limit(maxHits);
  const byNumber = selectTags('NUMBER', sql`2`)
    .where(isContained)
    .orderBy('code')
    .limit(maxHits);
  const byDescription = selectTags('DESCRIPTION', sql`3`)
    .where(isDescribed)
    .orderBy('code')
    .limit(maxHits);
  const hits = await context.tables
    .selectFrom(byPrefix.as('by_prefix'))
    .selectAll()
    .unionAll(context.tables.selectFrom(byNumber.as('by_number')).selectAll())
    .$if(!patterns.isShort, (query) =>
      query.unionAll(context.tables.selectFrom(byDescription.as('by_description')).selectAll()),
    )
    .orderBy('rank')
    .orderBy('number')
    .limit(maxHits)
    .execute();
  if (hits.length === 0 && patterns.isShort) return (await byDescription.execute()).map(toHit);
  const similarKeys = listSimilarPatterns(patterns.key);
  if (hits.length > 0 || patterns.hasWildcard || similarKeys.length === 0) return hits.map(toHit);

  const similarHits = await selectTags('SIMILAR', sql`4`)
    .where((builder) =>
      builder.or([
        sql<SqlBool>`search_key like any(${similarKeys}::text[])`,
        sql<SqlBool>`description ilike any(${listSimilarPatterns(text.trim())}::text[])`,
      ]),
    )
    .orderBy(sql`similarity(search_key, ${patterns.key}) desc`)
    .orderBy('code')
    .limit(maxSimilarHits)
    .execute();
  return similarHits.map(toHit);
}

/** Builds the conditions of the three queries of a search. At most one condition is true for each tag. */
function buildConditions({ key, start, prefix, contained, description }: SearchPatterns): {
  readonly isPrefix: RawBuilder<SqlBool>;
  readonly isContained: RawBuilder<SqlBool>;
  readonly isDescribed: RawBuilder<SqlBool>;
} {
  const never = sql<SqlBool>`false`;
  const isDescribed = sql<SqlBool>`description ilike ${description}`;
  if (key === '') return { isPrefix: never, isContained: never, isDescribed };
  return {
    isPrefix: sql`${keyBytes} >= ${start} and ${keyBytes} < ${start + afterKeys} and ${keyBytes} like ${prefix}`,
    isContained: contained === prefix ? never : sql`search_key like ${contained} and search_key not like ${prefix}`,
    isDescribed: sql`${isDescribed} and search_key not like ${contained}`,
  };
}

function toHit({ number, type, kind, description, match }: TagHit): TagHit {
  return { number, type, kind, description, match };
}
