import { sql } from 'kysely';
import { notFound, type Caller } from '#core/server';
import type { TagDetails, TagHit, TagPin } from '#plugins/tour';
import { searchPatterns } from './search-key.ts';
import { filterReached, reachOf, tablesOf, tourAt, tourCodesAt, type TourContext } from './tour-at.ts';

const mostHits = 50;

/** The tags and lines in sight of a node, nearest first. Throws 404 where the caller reaches no such node. */
export async function tagsSeenFrom(
  context: TourContext,
  caller: Caller,
  location: string,
  node: string,
): Promise<TagPin[]> {
  const tour = await tourAt(context, location);
  const tables = tablesOf(context);
  const found = await tables
    .selectFrom('node')
    .select('location')
    .where('code', '=', node)
    .where('tour', '=', tour.code)
    .executeTakeFirst();
  if (!found || !(await context.locations.canAccess(caller, found.location))) throw notFound('This node');
  return tables
    .selectFrom('tag_view')
    .innerJoin('tag', (join) => join.onRef('tag.tour', '=', 'tag_view.tour').onRef('tag.number', '=', 'tag_view.tag'))
    .select([
      'tag.number',
      'tag.type',
      'tag.kind',
      'tag.description',
      'tag_view.pan',
      'tag_view.tilt',
      'tag_view.distance',
    ])
    .where('tag_view.node', '=', node)
    .orderBy('tag_view.distance')
    .orderBy('tag.number')
    .execute();
}

/**
 * One tag or line with the nodes that see it and that the caller reaches. Throws 404 where the caller reaches neither
 * it nor one of them.
 */
export async function tagDetails(
  context: TourContext,
  caller: Caller,
  location: string,
  number: string,
): Promise<TagDetails> {
  const tour = await tourAt(context, location);
  const tables = tablesOf(context);
  const tag = await tables
    .selectFrom('tag')
    .selectAll()
    .where('tour', '=', tour.code)
    .where('number', '=', number)
    .executeTakeFirst();
  if (!tag) throw notFound('This tag');
  const [views, pipe] = await Promise.all([
    tables
      .selectFrom('tag_view')
      .innerJoin('node', 'node.code', 'tag_view.node')
      .select(['tag_view.node', 'tag_view.pan', 'tag_view.tilt', 'tag_view.distance', 'node.location'])
      .where('tag_view.tour', '=', tour.code)
      .where('tag_view.tag', '=', number)
      .orderBy('tag_view.distance')
      .execute(),
    tag.type === 'LINE'
      ? tables.selectFrom('line').selectAll().where('number', '=', number).executeTakeFirst()
      : undefined,
  ]);
  const reaches = reachOf(context, caller);
  const reached = await filterReached(views, reaches);
  if (reached.length === 0 && !(await reaches(tag.location))) throw notFound('This tag');
  return {
    number: tag.number,
    type: tag.type,
    kind: tag.kind,
    description: tag.description,
    position: tag.x === null || tag.y === null || tag.z === null ? null : [tag.x, tag.y, tag.z],
    line: tag.line,
    pipe: pipe
      ? {
          service: pipe.service,
          nps: pipe.nps,
          outsideDiameter: pipe.outside_diameter,
          from: pipe.from_tag,
          to: pipe.to_tag,
        }
      : null,
    seenFrom: reached.map(({ node, pan, tilt, distance }) => ({ node, pan, tilt, distance })),
  };
}

/** Hits by number before hits by description, beginnings first; only tags at locations that the caller reaches. */
export async function findTags(
  context: TourContext,
  caller: Caller,
  location: string,
  text: string,
): Promise<TagHit[]> {
  const tour = await tourAt(context, location);
  const { key, prefix, description } = searchPatterns(text);
  const tables = tablesOf(context);
  const places = await tables.selectFrom('tag').select('location').distinct().where('tour', '=', tour.code).execute();
  const reached = (await filterReached(places, reachOf(context, caller))).map((place) => place.location);
  if (reached.length === 0) return [];
  const byNumber = sql<boolean>`search_key like ${key ?? null}`;
  return tables
    .selectFrom('tag')
    .select(['number', 'type', 'kind', 'description'])
    .where('tour', '=', tour.code)
    .where('location', 'in', reached)
    .where((where) => where.or([byNumber, where('description', 'ilike', description)]))
    .orderBy(
      sql`case when search_key like ${prefix ?? null} then 0 when search_key like ${key ?? null} then 1 else 2 end`,
    )
    .orderBy('number')
    .limit(mostHits)
    .execute();
}

/** All tags and lines of the tour of a location, or where it has none of the tours below it, by number. */
export async function tagNumbersAt(
  context: TourContext,
  location: string,
): Promise<readonly { readonly number: string; readonly location: string }[]> {
  const codes = await tourCodesAt(context, location);
  return codes.length === 0
    ? []
    : tablesOf(context)
        .selectFrom('tag')
        .select(['number', 'location'])
        .where('tour', 'in', codes)
        .orderBy('number')
        .execute();
}
