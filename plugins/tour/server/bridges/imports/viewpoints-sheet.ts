import { sql } from 'kysely';
import { finding, unionAll, type ApplyContext, type ImportSheet } from '#plugins/imports';
import { translatedColumnNames } from '../../../common/translated-column-names.ts';
import type { TourTables } from '../../tables.ts';
import { registerCodes, type EntityRows } from './entity-rows.ts';
import { findFarPositions } from './far-positions.ts';
import {
  selectAllRowsIf,
  createCodeColumn,
  createCodeReference,
  coordinateColumns,
  findControlCharacters,
  findRowsInUse,
  findMovedRows,
  findTakenCodes,
  createNameColumn,
} from './sheet-parts.ts';
import { hasViewpointCorrections, selectUnreachableViewpoints, viewpoints } from './viewpoint-rows.ts';

const checkViewpoints: ImportSheet['check'] = (context) =>
  unionAll(
    findTakenCodes(context, viewpoints.sheet, viewpoints),
    findMovedRows(context, viewpoints.sheet, { parentColumn: 'tour', labelColumn: 'name' }),
    findFarPositions(context, viewpoints.sheet),
    findControlCharacters(context, viewpoints.sheet, ['name']),
    findRowsInUse(
      context,
      viewpoints.sheet,
      viewpoints.selectRowsInUse(context),
      finding('code', 'tour.refused.viewpointInUse', { name: sql`before ->> 'code'` }, 'WARNING'),
    ),
    sql`
      select ${finding('code', 'tour.refused.unreachable', {}, 'WARNING')}
      from (${selectUnreachableViewpoints(context)}) as row`,
  );

/** The viewpoints of the tours of a site. Panoramas are uploaded in an admin screen and matched by these codes. */
export const viewpointsSheet: ImportSheet = {
  id: viewpoints.sheet,
  name: 'Viewpoints',
  journalTable: 'node',
  required: false,
  removable: true,
  columns: [
    createCodeColumn(
      { en: 'Viewpoint Code', fr: 'Code du point de vue' },
      {
        en: 'Unique among the viewpoints of the site, ignoring case. Panoramas are named after it.',
        fr: 'Unique parmi les points de vue du site, sans tenir compte de la casse. Les panoramas portent ce nom.',
      },
      ['Viewpoint', 'Viewpoint No', 'Node', 'Node Code', 'Point de vue', 'Station', 'Scan Position'],
    ),
    createCodeReference(
      {
        id: 'tour',
        header: { en: 'Tour Code', fr: 'Code de la visite' },
        synonymHeaders: ['Visit', 'Visite'],
        required: true,
        note: { en: 'Viewpoints stay in their tour.', fr: 'Un point de vue reste dans sa visite.' },
      },
      { table: 'tour', sheet: 'tours', entity: { en: 'tours', fr: 'visites' } },
    ),
    createCodeReference(
      {
        id: 'deck',
        header: { en: 'Deck Code', fr: 'Code du pont' },
        synonymHeaders: ['Level', 'Floor', 'Pont', 'Niveau', 'Étage'],
        note: {
          en: 'The viewpoint belongs to the level of this deck, if that is within the location of the tour.',
          fr: 'Le point de vue appartient au niveau de ce pont, si l’emplacement de la visite le contient.',
        },
      },
      { table: 'deck', sheet: 'decks', entity: { en: 'decks', fr: 'ponts' } },
    ),
    createNameColumn('Name', 'Nom'),
    ...coordinateColumns.map((column) => ({ ...column, required: true })),
    {
      id: 'heading',
      header: { en: 'Heading (°)', fr: 'Cap (°)' },
      synonymHeaders: [
        ...['Heading (deg)', 'Azimuth', 'Azimuth (deg)', 'Bearing', 'Cap', 'Azimut'],
        ...translatedColumnNames.heading.flatMap((name) => [name, `${name} (°)`, `${name} (deg)`]),
      ],
      type: 'NUMBER',
      required: true,
      min: 0,
      max: 360,
      note: {
        en: 'Direction of the centre of the panorama, clockwise from north of the site frame.',
        fr: 'Direction du centre du panorama, dans le sens horaire depuis le nord du repère du site.',
      },
    },
    {
      id: 'viewPan',
      header: { en: 'First View Pan (°)', fr: 'Azimut de la première vue (°)' },
      type: 'NUMBER',
      min: 0,
      max: 360,
      note: {
        en: 'Where visitors look at first, clockwise from north of the site frame. Empty: the centre of the panorama.',
        fr: 'Où l’on regarde d’abord, dans le sens horaire depuis le nord du repère du site. Vide : le centre du panorama.',
      },
    },
    {
      id: 'viewTilt',
      header: { en: 'First View Tilt (°)', fr: 'Inclinaison de la première vue (°)' },
      type: 'NUMBER',
      min: -90,
      max: 90,
      note: { en: 'Above the horizon. Empty: 0.', fr: 'Au-dessus de l’horizon. Vide : 0.' },
    },
  ],
  current: ({ site, locations }) => sql`
    select jsonb_build_object(
      'code', node.code, 'tour', tour.code, 'deck', deck.code, 'name', node.name, 'x', node.x, 'y', node.y,
      'z', node.z, 'heading', node.heading, 'viewPan', node.view_pan, 'viewTilt', node.view_tilt) as values
    from tour.node join tour.tour on tour.uid = node.tour left join tour.deck on deck.uid = node.deck
    where node.site = ${site} and node.location = any(${[...locations]}::text[])`,
  check: checkViewpoints,
  selectRowsToRecheck: (context) => selectAllRowsIf(context, viewpoints.sheet, hasViewpointCorrections(context)),
};

/** Records the links, alignments and tag views that are deleted with viewpoints. */
export async function recordViewpoints(
  { recordedTransaction: { lockAndRecord } }: ApplyContext<TourTables>,
  { removed }: EntityRows,
): Promise<void> {
  await lockAndRecord('link', 'from_node', removed);
  await lockAndRecord('link', 'to_node', removed);
  await lockAndRecord('alignment', 'node', removed);
  await lockAndRecord('tag_view', 'node', removed);
}

/** Writes viewpoints after their tours and decks. New viewpoints are added at the end of their tour. */
export async function writeViewpoints(context: ApplyContext<TourTables>, rows: EntityRows): Promise<void> {
  const {
    scope: { site },
    recordedTransaction: { tables },
  } = context;
  await registerCodes(context, viewpoints, rows);
  // A viewpoint belongs to its deck's location if that is at or below the tour's, else to the tour's location.
  const viewpointRows = sql`
    with recursive above as (
      select uid as deck, location from tour.deck where site = ${site}
      union
      select above.deck, location.parent from above join core.location on location.uid = above.location
      where location.parent is not null
    )
    select row.uid, row.state, row.number, values ->> 'code' as code, tour.uid as tour, values ->> 'name' as name,
      deck.uid as deck, (values ->> 'x')::float8 as x, (values ->> 'y')::float8 as y, (values ->> 'z')::float8 as z,
      (values ->> 'heading')::float8 - 360 * floor((values ->> 'heading')::float8 / 360) as heading,
      (values ->> 'viewPan')::float8 - 360 * floor((values ->> 'viewPan')::float8 / 360) as view_pan,
      (values ->> 'viewTilt')::float8 as view_tilt,
      values ->> 'viewPan' is distinct from before ->> 'viewPan' as is_view_given,
      case when above.deck is null then tour.location else deck.location end as location
    from (${rows.toWrite}) as row
    join tour.tour on tour.site = ${site} and lower(tour.code) = lower(values ->> 'tour')
    left join tour.deck on deck.site = ${site} and lower(deck.code) = lower(values ->> 'deck')
    left join above on above.deck = deck.uid and above.location = tour.location`;
  await sql`
    insert into tour.node (uid, site, code, tour, position, name, deck, location, x, y, z, heading, view_pan, view_tilt,
      captured_at, panorama_file)
    select uid, ${site}, code, tour,
      coalesce(last.position, -1) + (row_number() over (partition by tour order by number))::int, name, deck, location,
      x, y, z, heading, coalesce(view_pan, heading), coalesce(view_tilt, 0), null, null
    from (${viewpointRows}) as row
    left join (select tour as of, max(position) as position from tour.node where site = ${site} group by tour) as last
      on last.of = row.tour
    where state = 'ADDED'`.execute(tables);
  await sql`
    update tour.node as target set code = row.code, name = row.name, deck = row.deck,
      location = case when row.deck is null or row.deck = target.deck then target.location else row.location end,
      x = row.x, y = row.y, z = row.z, heading = row.heading,
      view_tilt = coalesce(row.view_tilt, 0),
      view_pan = case
        when row.is_view_given then coalesce(row.view_pan, row.heading)
        when row.heading = target.heading then target.view_pan
        else target.view_pan + row.heading - target.heading
          - 360 * floor((target.view_pan + row.heading - target.heading) / 360) end
    from (${viewpointRows}) as row where target.uid = row.uid and state = 'CHANGED'`.execute(tables);
}
