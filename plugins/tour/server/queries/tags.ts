import { sql, type ExpressionBuilder } from 'kysely';
import { atLocation, matchesAny, notFound, type Caller } from '#core/server';
import type { TagDetails, TagPin, TagRef } from '#plugins/tour';
import type { TourTables } from '../tables.ts';
import { findByCodes, listFormerCodes } from './codes.ts';
import { areViewsPending, isViewSettled } from './compute-tag-views.ts';
import { listTagDocuments } from './documents.ts';
import { findCourseView } from './find-course-view.ts';
import { getAccessibleNode, tourAt, toursAt, type TourContext } from './tour-at.ts';

/**
 * Lists the tags and lines visible from a node, nearest first.
 *
 * @throws 404 if the node is not accessible
 */
export async function listTagsSeenFrom(
  context: TourContext,
  caller: Caller,
  location: string,
  node: string,
): Promise<TagPin[]> {
  const { uid } = await getAccessibleNode(context, caller, location, node);
  return context.tables
    .selectFrom('tag_view')
    .innerJoin('tag', 'tag.uid', 'tag_view.tag')
    .select([
      'tag.code as number',
      'tag.type',
      'tag.kind',
      'tag.description',
      'tag_view.pan',
      'tag_view.tilt',
      'tag_view.distance',
    ])
    .where('tag_view.node', '=', uid)
    .where(isViewSettled)
    .orderBy('tag_view.distance')
    .orderBy('tag.code')
    .execute();
}

/**
 * Finds a tag or a line of the site with the accessible nodes of the tour that see it. A line that no node is known to
 * see gets a view from the node nearest to its course.
 *
 * @throws 404 if neither the tag nor one of these nodes is accessible
 */
export async function getTagDetails(
  context: TourContext,
  caller: Caller,
  location: string,
  number: string,
): Promise<TagDetails> {
  const tour = await tourAt(context, location);
  const { tables } = context;
  const uid = (await findByCodes(context, 'TAG', location, [number])).get(number);
  if (uid === undefined) throw notFound('This tag');
  const accessibleLocations = await context.locations.accessible(caller);
  const [tag, formerNumbers, views, documents] = await Promise.all([
    tables
      .selectFrom('tag')
      .leftJoin('pipe', 'pipe.line', 'tag.uid')
      .leftJoin('tag as carrier', 'carrier.uid', 'tag.line')
      .selectAll('tag')
      .select(['pipe.service', 'pipe.nps', 'pipe.outside_diameter', 'pipe.from_tag', 'pipe.to_tag'])
      .select('carrier.code as line_number')
      .select(areViewsPending.as('pending'))
      .where('tag.uid', '=', uid)
      .executeTakeFirstOrThrow(),
    listFormerCodes(tables, [uid]),
    tables
      .selectFrom('tag_view')
      .innerJoin('node', 'node.uid', 'tag_view.node')
      .select(['tag_view.node', 'tag_view.pan', 'tag_view.tilt', 'tag_view.distance'])
      // Tags without a range image count as visible.
      .select(({ fn, val }) => fn.coalesce('tag_view.visible', val(1)).as('visible'))
      .where('node.panorama_file', 'is not', null)
      .where('tag_view.tag', '=', uid)
      .where(isViewSettled)
      .where('node.tour', '=', tour.uid)
      .where(atLocation('node.location', accessibleLocations))
      .orderBy('tag_view.distance')
      .orderBy('node.code')
      .execute(),
    listTagDocuments(context, uid, accessibleLocations),
  ]);
  if (views.length === 0 && !(await context.locations.canAccess(caller, tag.location))) throw notFound('This tag');
  return {
    uid,
    number: tag.code,
    formerNumbers: [...(formerNumbers.get(uid) ?? [])],
    type: tag.type,
    kind: tag.kind,
    description: tag.description,
    position: tag.x === null || tag.y === null || tag.z === null ? null : [tag.x, tag.y, tag.z],
    line: tag.line_number,
    pipe:
      tag.service === null || tag.nps === null || tag.outside_diameter === null
        ? null
        : {
            service: tag.service,
            nps: tag.nps,
            outsideDiameter: tag.outside_diameter,
            from: tag.from_tag ?? '',
            to: tag.to_tag ?? '',
          },
    seenFrom:
      views.length === 0 && tag.type === 'LINE' && tag.x === null
        ? await findCourseView(tables, uid, { tour: tour.uid, accessible: accessibleLocations })
        : views,
    ...(tag.pending ? { viewsPending: true } : {}),
    documents,
  };
}

/** Lists all tags and lines of the tour of a location by number, or of all tours below a location without a tour. */
export async function tagsAt(context: TourContext, location: string): Promise<readonly TagRef[]> {
  const tours = await toursAt(context, location);
  if (tours.length === 0) return [];
  const { tables } = context;
  const tourLocations = await tables.selectFrom('tour').select('location').where(matchesAny('uid', tours)).execute();
  const tourDescendants = (
    await Promise.all(tourLocations.map((tour) => context.locations.descendants(tour.location)))
  ).flat();
  return tables
    .selectFrom('tag')
    .select(['uid', 'code as number', 'location'])
    .where((builder) =>
      builder.or([atLocation('tag.location', tourDescendants), isSeenFrom(builder, tourDescendants, tours)]),
    )
    .orderBy('code')
    .execute();
}

/**
 * Returns the numbers of tags and lines by uid. Null for a tag that is neither at one of `accessibleLocations` nor
 * visible from a node there.
 */
export async function tagNumbers(
  context: Pick<TourContext, 'tables'>,
  uids: readonly string[],
  accessibleLocations: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  if (uids.length === 0) return new Map();
  const rows = await context.tables
    .selectFrom('tag')
    .select(['uid', 'code'])
    .select((tag) =>
      tag.or([atLocation('tag.location', accessibleLocations), isSeenFrom(tag, accessibleLocations)]).as('accessible'),
    )
    .where(sql<boolean>`uid = any(${[...new Set(uids)]}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.uid, row.accessible ? row.code : null]));
}

/** Builds the condition that a node at one of the locations (and of one of the `tours`) sees the tag. */
export const isSeenFrom = (
  builder: ExpressionBuilder<TourTables, 'tag'>,
  locations: readonly string[],
  tours?: readonly string[],
) =>
  builder.exists(
    builder
      .selectFrom('tag_view')
      .innerJoin('node', 'node.uid', 'tag_view.node')
      .select('tag_view.node')
      .whereRef('tag_view.tag', '=', 'tag.uid')
      .where(isViewSettled)
      .where('node.panorama_file', 'is not', null)
      .$if(tours !== undefined, (views) => views.where(matchesAny('node.tour', tours ?? [])))
      .where(atLocation('node.location', locations)),
  );
