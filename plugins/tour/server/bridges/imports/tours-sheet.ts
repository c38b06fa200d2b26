import { sql } from 'kysely';
import { finding, unionAll, type ApplyContext, type ImportSheet } from '#plugins/imports';
import type { TourTables } from '../../tables.ts';
import { joinEntities, selectRemovedUids, registerCodes, type EntityRows, type EntitySheet } from './entity-rows.ts';
import {
  selectAllRowsIf,
  createCodeColumn,
  createCodeReference,
  findControlCharacters,
  findRowsInUse,
  findLocation,
  findMovedRows,
  findTakenCodes,
  hasCorrections,
  createLocationColumn,
  createNameColumn,
  selectUsedCodes,
} from './sheet-parts.ts';
import { hasViewpointCorrections, selectViewpointsAfterImport, viewpoints } from './viewpoint-rows.ts';

export const tours: EntitySheet = {
  sheet: 'tours',
  table: 'tour',
  kind: 'TOUR',
  column: 'code',
  selectRowsInUse: (context) => sql`
    select id from (${joinEntities(context, tours)}) as tour
    where state = 'REMOVED' and (
      key in (${selectUsedCodes(context, 'viewpoints', 'tour')})
      or uid in (select tour from tour.node where uid not in (${selectRemovedUids(context, viewpoints)})))`,
};

const checkTours: ImportSheet['check'] = (context) =>
  unionAll(
    findTakenCodes(context, tours.sheet, tours),
    findMovedRows(context, tours.sheet, { parentColumn: 'location', labelColumn: 'name' }),
    sql`
      select ${finding('location', 'tour.refused.tourExists')}
      from (
        select *, row_number() over (partition by state, lower(values ->> 'location') order by number) as rank
        from (${context.rows(tours.sheet)}) as staged
      ) as row
      where state = 'ADDED' and (rank > 1 or lower(values ->> 'location') in (
        select lower(location) from tour.tour
        where site = ${context.scope.site} and uid not in (${selectRemovedUids(context, tours)})))`,
    sql`
      select * from (
        with viewpoint as materialized (${selectViewpointsAfterImport(context)})
        select ${finding('start', 'tour.refused.startElsewhere')} from (${context.rows(tours.sheet)}) as row
        where row.number is not null and exists (
          select from viewpoint where viewpoint.code = lower(values ->> 'start') and viewpoint.tour <> row.key)
      ) as found`,
    findControlCharacters(context, tours.sheet, ['name']),
    findRowsInUse(
      context,
      tours.sheet,
      tours.selectRowsInUse(context),
      finding('code', 'tour.refused.tourInUse', { name: sql`before ->> 'code'` }, 'WARNING'),
    ),
  );

/** The tours of a site, one for a location. */
export const toursSheet: ImportSheet = {
  id: tours.sheet,
  name: 'Tours',
  journalTable: 'tour',
  required: false,
  removable: true,
  columns: [
    createCodeColumn(
      { en: 'Tour Code', fr: 'Code de la visite' },
      {
        en: 'Unique among the tours of the site, ignoring case.',
        fr: 'Unique parmi les visites du site, sans tenir compte de la casse.',
      },
    ),
    createNameColumn('Name', 'Nom'),
    createLocationColumn(
      { en: 'Location Code', fr: 'Code d’emplacement' },
      { en: 'A location of the site without another tour.', fr: 'Un emplacement du site sans autre visite.' },
    ),
    createCodeReference(
      {
        id: 'start',
        header: { en: 'Start Viewpoint', fr: 'Point de vue de départ' },
        note: {
          en: 'A viewpoint of this tour. Empty: visitors begin at the first one.',
          fr: 'Un point de vue de cette visite. Vide : la visite commence au premier.',
        },
      },
      { table: 'node', sheet: viewpoints.sheet, entity: { en: 'viewpoints', fr: 'points de vue' } },
    ),
  ],
  current: ({ site, locations }) => sql`
    select jsonb_build_object(
      'code', tour.code, 'name', tour.name, 'location', tour.location, 'start', node.code) as values
    from tour.tour left join tour.node on node.uid = tour.start_node and node.tour = tour.uid
    where tour.site = ${site} and tour.location = any(${[...locations]}::text[])`,
  check: checkTours,
  selectRowsToRecheck: (context) =>
    selectAllRowsIf(
      context,
      tours.sheet,
      hasCorrections(context, tours.sheet, ['location']),
      hasViewpointCorrections(context),
    ),
};

/** Writes tours without their start viewpoints, which may be new, too. */
export async function writeTours(context: ApplyContext<TourTables>, rows: EntityRows): Promise<void> {
  const {
    scope,
    recordedTransaction: { tables },
  } = context;
  await registerCodes(context, tours, rows);
  await sql`
    insert into tour.tour (uid, site, code, name, location, start_node)
    select uid, ${scope.site}, values ->> 'code', values ->> 'name', ${findLocation(scope, sql`values ->> 'location'`)}, null
    from (${rows.toWrite}) as row where state = 'ADDED'`.execute(tables);
  await sql`
    update tour.tour as target set code = values ->> 'code', name = values ->> 'name'
    from (${rows.toWrite}) as row where target.uid = row.uid and state = 'CHANGED'`.execute(tables);
}

/** Writes changed start viewpoints. Called after the viewpoints are written. */
export async function writeStartViewpoints(
  { scope, recordedTransaction: { tables } }: ApplyContext<TourTables>,
  rows: EntityRows,
): Promise<void> {
  await sql`
    update tour.tour as target set start_node = node.uid
    from (${rows.toWrite}) as row
    left join tour.node on node.site = ${scope.site} and lower(node.code) = lower(values ->> 'start')
    where target.uid = row.uid and values ->> 'start' is distinct from before ->> 'start'`.execute(tables);
}
