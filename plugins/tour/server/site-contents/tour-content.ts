import { sql } from 'kysely';
import { Type } from 'typebox';
import { Instant, nullable } from '#core/api';
import {
  generateCsv,
  type ImportedCounts,
  type ServerContext,
  type SiteContent,
  type SiteExport,
  type SiteImport,
} from '#core/server';
import { PosedTilt } from '../../contract/api/tour-content.ts';
import type { TourTables } from '../tables.ts';
import { importViews, readImportedViews, Views, viewsFile } from './imported-views.ts';

type Context = Pick<ServerContext<TourTables>, 'tables' | 'changes'>;

const viewpointsFile = 'viewpoints.json';
const linesFile = 'lines.json';

const Viewpoints = Type.Array(
  Type.Object({
    viewpoint: Type.String(),
    /** Order in the tour. */
    position: Type.Integer({ minimum: 0, maximum: 1_000_000_000 }),
    /** Initial view of visitors. */
    view: Type.Object({ pan: Type.Number(), tilt: Type.Number() }),
    /** When the pose was measured. */
    posedAt: nullable(Instant),
    /** Tilt of the surveyed camera, degrees. Missing in older exports. */
    posedTilt: Type.Optional(nullable(PosedTilt)),
  }),
);
const Lines = Type.Array(
  Type.Object({
    line: Type.String(),
    /** Corners of the course, metres in the site frame. */
    points: Type.Array(Type.Array(Type.Number(), { minItems: 3, maxItems: 3 })),
  }),
);

/** Contents that the workbook of the tour does not have: order and views of viewpoints, courses and views of lines. */
export const createTourContent = (context: Context): SiteContent => ({
  id: 'tour',
  title: {
    en: 'Order and views of viewpoints, courses of lines',
    fr: 'Ordre et vues des points de vue, tracés des lignes',
  },
  frenchCountLabels: {
    viewpoints: 'points de vue',
    'courses of lines': 'tracés de lignes',
    'views of tags without a position': 'vues de repères sans position',
  },
  folder: 'tour',
  order: 20,
  export: (siteExport) => exportTour(context, siteExport),
  check: async (source) => {
    await source.read(viewpointsFile, Viewpoints);
    await source.read(linesFile, Lines);
    await source.read(viewsFile, Views);
  },
  import: async (source) => {
    const counts = [
      await importViewpoints(context, source),
      await importLines(context, source),
      await importViews(context, source),
    ];
    return {
      added: 0,
      changed: counts.reduce((sum, { changed }) => sum + changed, 0),
      unchanged: counts.reduce((sum, { unchanged }) => sum + unchanged, 0),
    };
  },
});

async function exportTour(context: Context, siteExport: SiteExport): Promise<void> {
  const { tables } = context;
  const { site, locations } = siteExport;
  const isExported = (table: string) =>
    sql`${sql.id(table)}.site = ${site} and ${sql.id(table)}.location = any(${[...locations]}::text[])`;
  const { rows: viewpoints } = await sql<{
    position: number;
    view: object;
    posed_at: Date | null;
    posed_tilt: PosedTilt | null;
    code: string;
  }>`
    select code, position, jsonb_build_object('pan', view_pan, 'tilt', view_tilt) as view, posed_at, posed_tilt
    from tour.node where ${isExported('node')} order by tour, position, code`.execute(tables);
  const { rows: lines } = await sql<{ line: string; points: number[][] }>`
    select tag.code as line, pipe.points from tour.pipe join tour.tag on tag.uid = pipe.line
    where ${isExported('tag')} and jsonb_array_length(pipe.points) > 0 order by tag.code`.execute(tables);
  if (viewpoints.length === 0 && lines.length === 0) return;
  await siteExport.add(
    viewpointsFile,
    toJson(
      viewpoints.map(({ code, posed_at: posedAt, posed_tilt: posedTilt, position, view }) => ({
        viewpoint: code,
        position,
        view,
        posedAt: posedAt?.toISOString() ?? null,
        posedTilt,
      })),
    ),
  );
  await siteExport.add(linesFile, toJson(lines));
  const views = await readImportedViews(context, siteExport);
  await siteExport.add(viewsFile, toJson(views));
  siteExport.count({
    viewpoints: viewpoints.length,
    'courses of lines': lines.length,
    'views of tags without a position': views.length,
  });
  await siteExport.add(
    'links.csv',
    generateCsv(
      tables,
      ['from', 'to', 'kind', 'pan', 'tilt', 'distance'],
      sql`
        select a.code as "from", b.code as "to", link.kind, pan, tilt, distance
        from tour.link join tour.node as a on a.uid = from_node join tour.node as b on b.uid = to_node
        where ${isExported('a')} and ${isExported('b')}`,
    ),
    { derived: true },
  );
  await siteExport.add(
    'tag-views.csv',
    generateCsv(
      tables,
      ['tag', 'viewpoint', 'pan', 'tilt', 'distance', 'visible'],
      sql`
        select tag.code as tag, node.code as viewpoint, pan, tilt, distance, visible
        from tour.tag_view join tour.tag on tag.uid = tag_view.tag join tour.node on node.uid = tag_view.node
        where ${isExported('tag')} and ${isExported('node')}`,
    ),
    { derived: true },
  );
  siteExport.note(
    'The export does not contain which viewpoints people have visited.',
    'Les points de vue que les personnes ont visités n’y sont pas.',
  );
  siteExport.note(
    'links.csv and, for tags with a position, tag-views.csv are computed again by an import.',
    'links.csv et, pour les repères avec une position, tag-views.csv sont recalculés par un import.',
  );
}

export const toJson = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`;

async function importViewpoints(
  { tables, changes }: Context,
  { site, author, read, dryRun }: SiteImport,
): Promise<Omit<ImportedCounts, 'added'>> {
  const input = await read(viewpointsFile, Viewpoints);
  const rows = input.map(({ viewpoint, position, view, posedAt, posedTilt }) => ({
    code: viewpoint,
    position,
    view_pan: view.pan,
    view_tilt: view.tilt,
    posed_at: posedAt,
    posed_tilt: posedTilt ?? null,
  }));
  // Exports of earlier versions have no tilts: those of the product stay.
  const posedTilt = sql.ref(
    input.some((inputRow) => inputRow.posedTilt !== undefined) ? 'input.posed_tilt' : 'node.posed_tilt',
  );
  const { rows: changedNodes } = await sql<{ uid: string }>`
    select node.uid from jsonb_populate_recordset(null::tour.node, ${JSON.stringify(rows)}::jsonb) as input
    ${dryRun ? sql`left join` : sql`join`} tour.node on node.site = ${site} and lower(node.code) = lower(input.code)
    where (node.position, node.view_pan, node.view_tilt, node.posed_at, node.posed_tilt)
      is distinct from (input.position, input.view_pan, input.view_tilt, input.posed_at, ${posedTilt})`.execute(tables);
  const uids = changedNodes.map(({ uid }) => uid);
  if (uids.length > 0 && !dryRun)
    await changes.apply(
      author,
      { action: 'tour.nodesChanged', subject: uids[0]!, name: site, location: site },
      async ({ tables: transaction, lockAndRecord }) => {
        await lockAndRecord('node', 'uid', uids);
        await sql`
          update tour.node set position = input.position, view_pan = input.view_pan, view_tilt = input.view_tilt,
            posed_at = input.posed_at, posed_tilt = ${posedTilt}
          from jsonb_populate_recordset(null::tour.node, ${JSON.stringify(rows)}::jsonb) as input
          where node.site = ${site} and lower(node.code) = lower(input.code)
            and node.uid = any(${uids}::text[])`.execute(transaction);
      },
    );
  return { changed: uids.length, unchanged: rows.length - uids.length };
}

async function importLines(
  { tables, changes }: Context,
  { site, author, read, dryRun }: SiteImport,
): Promise<Omit<ImportedCounts, 'added'>> {
  const input = JSON.stringify(await read(linesFile, Lines));
  const join = dryRun ? sql`left join` : sql`join`;
  const { rows } = await sql<{ uid: string; changed: boolean }>`
    select pipe.line as uid, pipe.points is distinct from input.points as changed
    from jsonb_to_recordset(${input}::jsonb) as input (line text, points jsonb)
    ${join} tour.tag on tag.site = ${site} and lower(tag.code) = lower(input.line)
    ${join} tour.pipe on pipe.line = tag.uid`.execute(tables);
  const uids = rows.filter(({ changed }) => changed).map(({ uid }) => uid);
  if (uids.length > 0 && !dryRun)
    await changes.apply(
      author,
      { action: 'tour.tagChanged', subject: uids[0]!, name: site, location: site },
      async ({ tables: transaction, lockAndRecord }) => {
        await lockAndRecord('pipe', 'line', uids);
        await sql`
          update tour.pipe set points = input.points
          from jsonb_to_recordset(${input}::jsonb) as input (line text, points jsonb)
          join tour.tag on tag.site = ${site} and lower(tag.code) = lower(input.line)
          where pipe.line = tag.uid and pipe.line = any(${uids}::text[])`.execute(transaction);
      },
    );
  return { changed: uids.length, unchanged: rows.length - uids.length };
}
