import { sql } from 'kysely';
import { finding, unionAll, type ApplyContext, type ImportSheet } from '#plugins/imports';
import { floorKinds } from '../../../contract/values/content-values.ts';
import { translatedColumnNames } from '../../../common/translated-column-names.ts';
import type { TourTables } from '../../tables.ts';
import { joinEntities, selectRemovedUids, registerCodes, type EntityRows, type EntitySheet } from './entity-rows.ts';
import {
  selectAllRowsIf,
  createCodeColumn,
  createCoordinateColumn,
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
import { hasViewpointCorrections, viewpoints } from './viewpoint-rows.ts';

export const decks: EntitySheet = {
  sheet: 'decks',
  table: 'deck',
  kind: 'DECK',
  column: 'code',
  selectRowsInUse: (context) => sql`
    select id from (${joinEntities(context, decks)}) as deck
    where state = 'REMOVED' and (
      plan_file is not null or key in (${selectUsedCodes(context, 'viewpoints', 'deck')})
      or uid in (select deck from tour.node where deck is not null and uid not in (${selectRemovedUids(context, viewpoints)})))`,
};

const floorLabels = {
  PLATED: { en: 'Plated', fr: 'Plein' },
  GRATED: { en: 'Grated', fr: 'Caillebotis' },
  UNKNOWN: { en: 'Unknown', fr: 'Inconnu' },
} as const;

const checkDecks: ImportSheet['check'] = (context) =>
  unionAll(
    findTakenCodes(context, decks.sheet, decks),
    findMovedRows(context, decks.sheet, { parentColumn: 'location', labelColumn: 'name' }),
    sql`
      select ${finding('location', 'tour.refused.noLevel')} from (${context.rows(decks.sheet)}) as row
      where state = 'ADDED' and lower(values ->> 'location') in (
        select lower(uid) from core.location
        where uid = any(${[...context.scope.locations]}::text[]) and location_type <> 'LOC_LEVEL')`,
    sql`
      select ${finding('location', 'tour.refused.deckExists')}
      from (
        select *, row_number() over (partition by state, lower(values ->> 'location') order by number) as rank
        from (${context.rows(decks.sheet)}) as staged
      ) as row
      where state = 'ADDED' and (rank > 1 or lower(values ->> 'location') in (
        select lower(location) from tour.deck
        where site = ${context.scope.site} and uid not in (${selectRemovedUids(context, decks)})))`,
    findControlCharacters(context, decks.sheet, ['name']),
    findRowsInUse(
      context,
      decks.sheet,
      decks.selectRowsInUse(context),
      finding('code', 'tour.refused.deckInUse', { name: sql`before ->> 'code'` }, 'WARNING'),
    ),
  );

/** The decks of the levels of a site. Plans are uploaded in the admin screens. */
export const decksSheet: ImportSheet = {
  id: decks.sheet,
  name: 'Decks',
  journalTable: 'deck',
  required: false,
  removable: true,
  columns: [
    createCodeColumn(
      { en: 'Deck Code', fr: 'Code du pont' },
      {
        en: 'Unique among the decks of the site, ignoring case.',
        fr: 'Unique parmi les ponts du site, sans tenir compte de la casse.',
      },
      ['Deck', 'Deck No', 'Deck ID', 'Pont'],
    ),
    createNameColumn('Name', 'Nom'),
    createLocationColumn(
      { en: 'Level Location Code', fr: 'Code d’emplacement du niveau' },
      { en: 'A level of the site without another deck.', fr: 'Un niveau du site sans autre pont.' },
    ),
    {
      ...createCoordinateColumn(
        'elevation',
        { en: 'Elevation (m)', fr: 'Altitude (m)' },
        { en: 'Height of the walking surface in the site frame.', fr: 'Altitude du sol dans le repère du site.' },
        [
          ...['Elev', 'Height', 'Height (m)', 'Altitude', 'Deck Elevation', 'Level Elevation'],
          ...translatedColumnNames.height,
        ],
      ),
      required: true,
    },
    {
      id: 'floor',
      header: { en: 'Floor', fr: 'Plancher' },
      type: 'ENUM',
      values: floorKinds.map((value) => ({ value, label: floorLabels[value] })),
      default: 'UNKNOWN',
      note: {
        en: 'Objects and sparks pass through a grated floor.',
        fr: 'Objets et étincelles traversent un caillebotis.',
      },
    },
  ],
  current: ({ site, locations }) => sql`
    select jsonb_build_object(
      'code', code, 'name', name, 'location', location, 'elevation', elevation, 'floor', floor) as values
    from tour.deck where site = ${site} and location = any(${[...locations]}::text[])`,
  check: checkDecks,
  selectRowsToRecheck: (context) =>
    selectAllRowsIf(
      context,
      decks.sheet,
      hasCorrections(context, decks.sheet, ['location']),
      hasViewpointCorrections(context),
    ),
};

export async function writeDecks(context: ApplyContext<TourTables>, rows: EntityRows): Promise<void> {
  const {
    scope,
    recordedTransaction: { tables },
  } = context;
  await registerCodes(context, decks, rows);
  await sql`
    insert into tour.deck (uid, site, code, name, location, elevation, floor)
    select uid, ${scope.site}, values ->> 'code', values ->> 'name', ${findLocation(scope, sql`values ->> 'location'`)},
      (values ->> 'elevation')::float8, values ->> 'floor'
    from (${rows.toWrite}) as row where state = 'ADDED'`.execute(tables);
  await sql`
    update tour.deck as target set code = values ->> 'code', name = values ->> 'name',
      elevation = (values ->> 'elevation')::float8, floor = values ->> 'floor'
    from (${rows.toWrite}) as row where target.uid = row.uid and state = 'CHANGED'`.execute(tables);
}
