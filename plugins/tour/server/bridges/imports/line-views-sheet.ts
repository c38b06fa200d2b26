import { sql, type RawBuilder } from 'kysely';
import { finding, unionAll, type ApplyContext, type CheckContext, type ImportSheet } from '#plugins/imports';
import { recordImportedViews, writeImportedViews } from '../../queries/write-imported-views.ts';
import type { TourTables } from '../../tables.ts';
import type { EntityRows } from './entity-rows.ts';
import { createCodeReference } from './sheet-parts.ts';
import { createLineReference, lineViewsSheetId as sheetId } from './tag-rows.ts';

/** Refuses views of a line with a position, because its views are computed from the position, as for tags. */
const checkLineViews: ImportSheet['check'] = ({ scope, rows }) =>
  unionAll(
    sql`
      select ${finding('line', 'tour.refused.lineHasPlace')} from (${rows(sheetId)}) as row
      where number is not null and lower(values ->> 'line') in (
        select lower(code) from tour.tag where site = ${scope.site} and type = 'LINE' and x is not null)`,
    sql`
      select ${finding('pan', 'tour.refused.panFullTurn')} from (${rows(sheetId)}) as row
      where number is not null and values ->> 'pan' = '360'`,
  );

/** The views of lines: which viewpoints see a line, and in which direction. */
export const lineViewsSheet: ImportSheet = {
  id: sheetId,
  name: 'Line Views',
  journalTable: 'tag_view',
  required: false,
  removable: true,
  columns: [
    createLineReference(true),
    createCodeReference(
      { id: 'viewpoint', header: { en: 'Viewpoint', fr: 'Point de vue' }, required: true, key: true },
      { table: 'node', sheet: 'viewpoints', entity: { en: 'viewpoints', fr: 'points de vue' } },
    ),
    {
      id: 'pan',
      header: { en: 'Pan (°)', fr: 'Azimut (°)' },
      type: 'NUMBER',
      required: true,
      min: 0,
      max: 360,
      note: {
        en: 'Where the line is in the panorama, clockwise from north of the site frame.',
        fr: 'Où se trouve la ligne dans le panorama, dans le sens horaire depuis le nord du repère du site.',
      },
    },
    {
      id: 'tilt',
      header: { en: 'Tilt (°)', fr: 'Inclinaison (°)' },
      type: 'NUMBER',
      required: true,
      min: -90,
      max: 90,
      note: { en: 'Above the horizon.', fr: 'Au-dessus de l’horizon.' },
    },
    {
      id: 'distance',
      header: { en: 'Distance (m)', fr: 'Distance (m)' },
      type: 'NUMBER',
      required: true,
      min: 0,
      max: 1e8,
      note: { en: 'From the camera to the line.', fr: 'De la caméra à la ligne.' },
    },
    {
      id: 'visible',
      header: { en: 'Visible (0 to 1)', fr: 'Visible (0 à 1)' },
      type: 'NUMBER',
      min: 0,
      max: 1,
      default: 1,
      note: {
        en: 'Share of the line that nothing hides. Empty: 1.',
        fr: 'Part de la ligne que rien ne cache. Vide : 1.',
      },
    },
  ],
  // A view of unknown visibility is exported as visible. It stays unknown unless the import changes the value.
  current: ({ site, locations }) => sql`
    select jsonb_build_object('line', tag.code, 'viewpoint', node.code, 'pan', pan, 'tilt', tilt,
      'distance', distance, 'visible', coalesce(visible, 1)) as values
    from tour.tag_view join tour.tag on tag.uid = tag_view.tag join tour.node on node.uid = tag_view.node
    where tag.site = ${site} and tag.type = 'LINE' and tag.x is null
      and tag.location = any(${[...locations]}::text[]) and node.location = any(${[...locations]}::text[])`,
  check: checkLineViews,
  // No finding depends on other rows.
  selectRowsToRecheck: ({ rows }) => sql`select id from (${rows(sheetId)}) as row where false`,
};

/**
 * Selects the rows that change, with the uids of their line and viewpoint. Leaves out rows whose line or viewpoint does
 * not exist.
 */
const selectChangedViews = ({ scope: { site }, rows }: CheckContext): RawBuilder<unknown> => sql`
  select state, before, coalesce(before, '{}') || coalesce(values, '{}') as values, tag.uid as tag, node.uid as node
  from (${rows(sheetId)}) as row
  join tour.tag on tag.site = ${site} and tag.type = 'LINE'
    and lower(tag.code) = lower((coalesce(before, '{}') || coalesce(values, '{}')) ->> 'line')
  join tour.node on node.site = ${site}
    and lower(node.code) = lower((coalesce(before, '{}') || coalesce(values, '{}')) ->> 'viewpoint')
  where state in ('ADDED', 'CHANGED', 'REMOVED')`;

/** Records the views of lines whose rows change, and of new lines. */
export async function recordLineViews(context: ApplyContext<TourTables>, { added }: EntityRows): Promise<void> {
  const {
    scope: { site },
    rows: selectRows,
    recordedTransaction,
  } = context;
  const { rows } = await sql<{ uid: string }>`
    select uid from tour.tag where site = ${site} and type = 'LINE' and lower(code) in (
      select lower((coalesce(before, '{}') || coalesce(values, '{}')) ->> 'line')
      from (${selectRows(sheetId)}) as row where state in ('ADDED', 'CHANGED', 'REMOVED'))`.execute(
    recordedTransaction.tables,
  );
  await recordImportedViews(recordedTransaction, [...rows.map(({ uid }) => uid), ...added.map(({ entity }) => entity)]);
}

/** Writes the views of lines after viewpoints and lines. */
export async function writeLineViews(context: ApplyContext<TourTables>): Promise<void> {
  const { tables } = context.recordedTransaction;
  await sql`
    delete from tour.tag_view using (${selectChangedViews(context)}) as view
    where state = 'REMOVED' and tag_view.tag = view.tag and tag_view.node = view.node`.execute(tables);
  await writeImportedViews(
    tables,
    sql`
      select tag, node, (values ->> 'pan')::float8 as pan, (values ->> 'tilt')::float8 as tilt,
        (values ->> 'distance')::float8 as distance,
        case when before -> 'visible' = values -> 'visible' then (
          select visible from tour.tag_view as present where present.tag = view.tag and present.node = view.node
        ) else (values ->> 'visible')::float8 end as visible
      from (${selectChangedViews(context)}) as view where state <> 'REMOVED'`,
  );
}
