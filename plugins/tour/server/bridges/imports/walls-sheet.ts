import { sql, type RawBuilder } from 'kysely';
import {
  finding,
  importedRows,
  unionAll,
  type ApplyContext,
  type CheckContext,
  type ImportSheet,
} from '#plugins/imports';
import { maxWallPoints, maxWalls } from '../../../contract/values/content-values.ts';
import type { TourTables } from '../../tables.ts';
import {
  selectAllRowsIf,
  createCodeReference,
  coordinateColumns,
  hasCorrections,
  createOrdinalColumn,
} from './sheet-parts.ts';

const sheetId = 'walls';

/** Selects the points of the current walls: `code` of the deck, `wall`, `point`, `x`, `y`. */
const selectCurrentPoints = ({ scope: { site } }: Pick<CheckContext, 'scope'>): RawBuilder<unknown> => sql`
  select deck.code, (wall ->> 'number')::float8 as wall, ordinal::float8 as point,
    (point ->> 0)::float8 as x, (point ->> 1)::float8 as y
  from tour.deck cross join jsonb_array_elements(walls) as wall
    cross join jsonb_array_elements(wall -> 'points') with ordinality as points (point, ordinal)
  where site = ${site}`;

/** Selects points of the files whose coordinates are numbers: `id`, `deck` in lower case, `wall`, `point`, `x`, `y`. */
const selectImportedPoints = (context: CheckContext): RawBuilder<unknown> => sql`
  select id, lower(values ->> 'deck') as deck, (values ->> 'wall')::float8 as wall,
    (values ->> 'point')::float8 as point, (values ->> 'x')::float8 as x, (values ->> 'y')::float8 as y
  from (${importedRows(context, sheetId)}) as row
  where 'number' = all (array(select jsonb_typeof(values -> name) from unnest(array['wall', 'point', 'x', 'y']) as name))`;

/** Selects all points after the import. Points that are not in the files have no `id`. */
const selectPointsAfterImport = (context: CheckContext): RawBuilder<unknown> => sql`
  select id, deck, wall, point, x, y from (${selectImportedPoints(context)}) as imported
  union all
  select null, lower(code), wall, point, x, y from (${selectCurrentPoints(context)}) as current_point
  where not exists (
    select from (${context.rows(sheetId)}) as row
    where key = lower(code) || chr(31) || wall || chr(31) || point and (state = 'REMOVED' or number is not null))`;

const checkWalls: ImportSheet['check'] = (context) => sql`
  select * from (
    with wall_point as materialized (
      select *, count(*) over wall as count, max(point) over wall as last,
        lag(array[x, y]) over (partition by deck, wall order by point) = array[x, y] as stays
      from (${selectPointsAfterImport(context)}) as point_after window wall as (partition by deck, wall)
    )
    ${unionAll(
      sql`select ${finding('point', 'tour.refused.wallPoints', { number: sql`wall` })} from wall_point
        where id is not null and (count <> last or count < 2)`,
      sql`select ${finding('x', 'tour.refused.pointTwice')} from wall_point where id is not null and stays`,
    )}
  ) as found`;

/** The walls of decks, with one row for each point. */
export const wallsSheet: ImportSheet = {
  id: sheetId,
  name: 'Walls',
  required: false,
  removable: true,
  columns: [
    createCodeReference(
      { id: 'deck', header: { en: 'Deck', fr: 'Pont' }, required: true, key: true },
      { table: 'deck', sheet: 'decks', entity: { en: 'decks', fr: 'ponts' } },
    ),
    createOrdinalColumn('wall', 'Wall', 'Paroi', maxWalls, {
      en: 'Number of the wall on its deck.',
      fr: 'Numéro de la paroi sur son pont.',
    }),
    createOrdinalColumn('point', 'Point', 'Point', maxWallPoints, {
      en: 'Points of a wall in order: 1, 2, 3 and so on.',
      fr: 'Points d’une paroi dans l’ordre : 1, 2, 3, etc.',
    }),
    ...coordinateColumns.slice(0, 2).map((column) => ({ ...column, required: true })),
  ],
  current: (scope) => sql`
    select jsonb_build_object('deck', code, 'wall', wall, 'point', point, 'x', x, 'y', y) as values
    from (${selectCurrentPoints({ scope })}) as place
    where code in (select code from tour.deck
      where site = ${scope.site} and location = any(${[...scope.locations]}::text[]))`,
  check: checkWalls,
  selectRowsToRecheck: (context) =>
    selectAllRowsIf(context, sheetId, hasCorrections(context, sheetId, ['deck', 'wall', 'point', 'x', 'y'])),
};

/** Selects the lower-case codes of the decks whose walls change. */
const selectChangedDecks = ({ rows }: CheckContext): RawBuilder<unknown> => sql`
  select lower((coalesce(before, '{}') || coalesce(values, '{}')) ->> 'deck') from (${rows(sheetId)}) as row
  where state in ('ADDED', 'CHANGED', 'REMOVED')`;

/** Records the decks whose walls change. */
export async function recordWalls(context: ApplyContext<TourTables>): Promise<void> {
  const {
    scope: { site },
    recordedTransaction: { tables, lockAndRecord },
  } = context;
  const { rows } = await sql<{ uid: string }>`
    select uid from tour.deck where site = ${site} and lower(code) in (${selectChangedDecks(context)})`.execute(tables);
  await lockAndRecord(
    'deck',
    'uid',
    rows.map(({ uid }) => uid),
  );
}

/** Writes walls after the decks. The walls of removed decks are deleted with the decks. */
export async function writeWalls(context: ApplyContext<TourTables>): Promise<void> {
  await sql`
    with wall as (
      select deck, wall, jsonb_agg(jsonb_build_array(x, y) order by point) as points
      from (${selectPointsAfterImport(context)}) as point_after group by deck, wall
    )
    update tour.deck set walls = coalesce((
      select jsonb_agg(jsonb_build_object('number', wall, 'points', points) order by wall) from wall
      where wall.deck = lower(code)
    ), '[]')
    where site = ${context.scope.site} and lower(code) in (${selectChangedDecks(context)})`.execute(
    context.recordedTransaction.tables,
  );
}
