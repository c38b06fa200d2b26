import { sql } from 'kysely';
import { Type } from 'typebox';
import { nullable } from '#core/api';
import type { ImportedCounts, ServerContext, SiteExport, SiteImport } from '#core/server';
import { recordImportedViews, writeImportedViews } from '../queries/write-imported-views.ts';
import type { TourTables } from '../tables.ts';

type Context = Pick<ServerContext<TourTables>, 'tables' | 'changes'>;

export const viewsFile = 'views.json';

export const Views = Type.Array(
  Type.Object({
    tag: Type.String(),
    viewpoint: Type.String(),
    /** Degrees. */
    pan: Type.Number(),
    tilt: Type.Number(),
    /** Metres. */
    distance: Type.Number({ minimum: 0 }),
    /** Visible fraction. Null if unknown. */
    visible: nullable(Type.Number({ minimum: 0, maximum: 1 })),
  }),
);

/** Reads the imported views of tags and lines without a position, which cannot be computed. */
export async function readImportedViews(
  { tables }: Context,
  { site, locations }: SiteExport,
): Promise<readonly object[]> {
  const { rows } = await sql<object>`
    select tag.code as tag, node.code as viewpoint, pan, tilt, distance, visible
    from tour.tag_view join tour.tag on tag.uid = tag_view.tag join tour.node on node.uid = tag_view.node
    where tag.site = ${site} and tag.x is null and tag.location = any(${[...locations]}::text[])
      and node.location = any(${[...locations]}::text[])
    order by tag.code, node.code`.execute(tables);
  return rows;
}

export async function importViews(
  { tables, changes }: Context,
  { site, author, read, dryRun }: SiteImport,
): Promise<Omit<ImportedCounts, 'added'>> {
  const input = await read(viewsFile, Views);
  const join = dryRun ? sql`left join` : sql`join`;
  const pairs = sql`
    select tag.uid as tag, node.uid as node, input.pan, input.tilt, input.distance, input.visible
    from jsonb_to_recordset(${JSON.stringify(input)}::jsonb)
      as input (tag text, viewpoint text, pan float8, tilt float8, distance float8, visible float8)
    ${join} tour.tag on tag.site = ${site} and tag.x is null and lower(tag.code) = lower(input.tag)
    ${join} tour.node on node.site = ${site} and lower(node.code) = lower(input.viewpoint)`;
  const { rows } = await sql<{ tag: string }>`
    select input.tag from (${pairs}) as input
    left join tour.tag_view as stored on stored.tag = input.tag and stored.node = input.node
    where (stored.pan, stored.tilt, stored.distance, stored.visible)
      is distinct from (input.pan, input.tilt, input.distance, input.visible)`.execute(tables);
  const tags = [...new Set(rows.map(({ tag }) => tag))];
  if (tags.length > 0 && !dryRun)
    await changes.apply(
      author,
      { action: 'tour.tagChanged', subject: tags[0]!, name: site, location: site },
      async (transaction) => {
        await recordImportedViews(transaction, tags);
        await writeImportedViews(
          transaction.tables,
          sql`select * from (${pairs}) as input where input.tag = any(${tags}::text[])`,
        );
      },
    );
  return { changed: rows.length, unchanged: input.length - rows.length };
}
