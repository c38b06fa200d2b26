import { sql, type Kysely, type Transaction } from 'kysely';
import type { QueryOf } from '#core';
import { atLocation, matchesAny, notFound, type Caller } from '#core/server';
import { rankView } from '../../common/tag-views.ts';
import {
  maxTagRows,
  type ContentTag,
  type ContentTagDetails,
  type ContentTagView,
  type LineData,
  type listContentTags,
} from '../../contract/api/tag-content.ts';
import { listFormerCodes } from '../queries/codes.ts';
import { areViewsPending, isViewSettled } from '../queries/compute-tag-views.ts';
import { toSearchPatterns } from '../queries/search-key.ts';
import type { TourTables } from '../tables.ts';
import { findTagOrDocument, type ContentContext } from './content-context.ts';

/** True if a row of `tag` is a line with a course. */
export const hasCourse = sql<boolean>`exists (
  select from tour.pipe where pipe.line = tag.uid and jsonb_array_length(pipe.points) > 0)`;

type Tables = Kysely<TourTables> | Transaction<TourTables>;

const selectTags = (tables: Tables) =>
  tables
    .selectFrom('tag')
    .leftJoin('tag as carrier', 'carrier.uid', 'tag.line')
    .select(['tag.uid', 'tag.code', 'tag.type', 'tag.kind', 'tag.description', 'tag.location', 'tag.line'])
    .select(['tag.x', 'tag.y', 'tag.z', 'tag.row_version', 'carrier.code as line_number'])
    .select(
      sql<number>`(select count(*) from tour.tag_view where tag_view.tag = tag.uid and ${isViewSettled})::int`.as(
        'views',
      ),
    )
    .select(areViewsPending.as('pending'))
    .select(hasCourse.as('has_course'))
    .select(
      sql<number>`(select count(*) from tour.document_link where document_link.tag = tag.uid)::int`.as('documents'),
    );

type TagRow = Awaited<ReturnType<ReturnType<typeof selectTags>['executeTakeFirstOrThrow']>>;

const toContentTag = ({ code, line, line_number, x, y, z, row_version, has_course, ...row }: TagRow): ContentTag => ({
  uid: row.uid,
  number: code,
  type: row.type,
  kind: row.kind,
  description: row.description,
  location: row.location,
  line: line === null || line_number === null ? null : { uid: line, number: line_number },
  position: x === null || y === null || z === null ? null : [x, y, z],
  views: row.views,
  ...(row.pending ? { viewsPending: true } : {}),
  ...(has_course ? { hasCourse: true } : {}),
  documents: row.documents,
  version: row_version,
});

/** Reads a tag, with a name for `assertVersion`. Throws `notFound` (404). */
export async function readTag(tables: Tables, uid: string): Promise<ContentTag & { readonly name: string }> {
  const row = await selectTags(tables).where('tag.uid', '=', uid).executeTakeFirst();
  if (!row) throw notFound('This tag');
  return { ...toContentTag(row), name: row.code };
}

/** Lists tags and lines at a location and its descendants. The number of queries is constant. */
export async function listTags(
  { tables, locations }: ContentContext,
  caller: Caller,
  location: string,
  {
    text = '',
    type,
    kind,
    place,
    sort = 'number',
    descending,
    offset = 0,
    limit = maxTagRows,
  }: QueryOf<typeof listContentTags>,
): Promise<{ readonly total: number; readonly offset: number; readonly rows: ContentTag[] }> {
  const locationUids = await locations.accessibleDescendants(caller, location);
  const site = (await locations.findSite(location)) ?? location;
  const { key, contained, description } = toSearchPatterns(text);
  const matches = sql<boolean>`(${key === '' ? sql`false` : sql`tag.search_key like ${contained}`}
    or tag.description ilike ${description})`;
  const isSelected = sql<boolean>`${sql.join(
    [
      sql`tag.site = ${site}`,
      atLocation('tag.location', locationUids),
      ...(text.trim() === '' ? [] : [matches]),
      ...(type === undefined ? [] : [sql`tag.type = ${type}`]),
      ...(kind === undefined ? [] : [sql`tag.kind = ${kind}`]),
      ...(place === undefined ? [] : [place === 'PLACED' ? sql`tag.x is not null` : sql`tag.x is null`]),
    ],
    sql` and `,
  )}`;
  const direction = descending === 'true' ? 'desc' : 'asc';
  const order = { number: sql`tag.search_key collate "C"`, kind: sql`tag.kind`, description: sql`tag.description` };
  /** False for the tag with the searched number, so that it comes before tags that mention it. */
  const hasOtherNumber = sql<boolean>`tag.search_key <> ${key}`;
  // Counts views and documents only for the rows of the page.
  const page = tables
    .selectFrom('tag')
    .select('tag.uid')
    .where(isSelected)
    .$if(key !== '', (query) => query.orderBy(hasOtherNumber))
    .orderBy(order[sort], direction)
    .orderBy('tag.code', direction)
    .orderBy('tag.uid')
    .offset(offset)
    .limit(limit);
  const [{ total }, rows] = await Promise.all([
    tables
      .selectFrom('tag')
      .select(sql<number>`count(*)::int`.as('total'))
      .where(isSelected)
      .executeTakeFirstOrThrow(),
    selectTags(tables)
      .where('tag.uid', 'in', page)
      .$if(key !== '', (query) => query.orderBy(hasOtherNumber))
      .orderBy(order[sort], direction)
      .orderBy('tag.code', direction)
      .orderBy('tag.uid')
      .execute(),
  ]);
  return { total, offset, rows: rows.map(toContentTag) };
}

/** @throws `notFound` (404) */
export async function readTagDetails(
  context: ContentContext,
  caller: Caller,
  { location, tag: uid }: { readonly location: string; readonly tag: string },
): Promise<ContentTagDetails> {
  const { tables } = context;
  await findTagOrDocument(context, 'tag', location, uid);
  const accessibleLocations = await context.locations.accessible(caller);
  const [tag, formerNumbers, pipe, { tagsOnLine }, seenFrom, linkedDocuments] = await Promise.all([
    readTag(tables, uid),
    listFormerCodes(tables, [uid]),
    tables.selectFrom('pipe').selectAll().where('line', '=', uid).executeTakeFirst(),
    tables
      .selectFrom('tag')
      .select(sql<number>`count(*)::int`.as('tagsOnLine'))
      .where(matchesAny('line', [uid]))
      .executeTakeFirstOrThrow(),
    listViews(tables, uid, accessibleLocations),
    tables
      .selectFrom('document_link')
      .innerJoin('document', 'document.uid', 'document_link.document')
      .select(['document.uid', 'document.code', 'document.title', 'document.location'])
      .where('document_link.tag', '=', uid)
      .where(atLocation('document.location', accessibleLocations))
      .orderBy('document.code')
      .execute(),
  ]);
  const { name: _, ...values } = tag;
  return {
    ...values,
    formerNumbers: [...(formerNumbers.get(uid) ?? [])],
    pipe: pipe ? toLineData(pipe) : null,
    tagsOnLine,
    seenFrom,
    linkedDocuments,
  };
}

const toLineData = (row: {
  readonly service: string;
  readonly nps: string;
  readonly dn: number;
  readonly outside_diameter: number;
  readonly from_tag: string;
  readonly to_tag: string;
}): LineData => ({
  service: row.service,
  nps: row.nps,
  dn: row.dn,
  outsideDiameter: row.outside_diameter,
  from: row.from_tag,
  to: row.to_tag,
});

/** Lists the views of a tag, best first. Views of the same rank are sorted by the codes of their viewpoints. */
async function listViews(
  tables: Tables,
  tag: string,
  accessibleLocations: readonly string[],
): Promise<ContentTagView[]> {
  const rows = await tables
    .selectFrom('tag_view')
    .innerJoin('node', 'node.uid', 'tag_view.node')
    .select(['tag_view.node', 'node.code', 'node.name', 'node.location'])
    .select(['tag_view.pan', 'tag_view.tilt', 'tag_view.distance', 'tag_view.visible'])
    .select(
      sql<boolean>`node.range_file is not null or exists (select 1 from tour.capture
        where capture.node = node.uid and capture.range_file is not null)`.as('hasDepth'),
    )
    .where('tag_view.tag', '=', tag)
    .where(isViewSettled)
    .where(atLocation('node.location', accessibleLocations))
    .orderBy('node.code')
    .orderBy('node.uid')
    .execute();
  return rows.toSorted((a, b) => rankView(a) - rankView(b));
}
