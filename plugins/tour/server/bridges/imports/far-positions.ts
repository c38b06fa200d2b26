import { sql, type RawBuilder } from 'kysely';
import { finding, importedRows, type CheckContext } from '#plugins/imports';
import { maxSiteMetres, minFarMetres } from '../../../common/far-positions.ts';

/** Positions beyond this limit are not examined, because `coordinate` reports them as errors. */
const maxCoordinateMetres = 1e8;

/** Selects the extent of each deck from its plan, walls and viewpoints: `elevation, west, east, south, north`. */
const selectDeckExtents = (site: string | null): RawBuilder<unknown> => sql`
  select elevation, min(x) as west, max(x) as east, min(y) as south, max(y) as north
  from (
    select uid, elevation, plan_x + sign * radius as x, plan_y + sign * radius as y
    from tour.deck cross join unnest(array[-1, 1]) as sign
      cross join lateral (select plan_scale * sqrt(plan_width ^ 2 + plan_height ^ 2) / 2 as radius) as plan
    where site = ${site} and plan_x is not null and radius is not null
    union all
    select uid, elevation, (point ->> 0)::float8, (point ->> 1)::float8
    from tour.deck cross join jsonb_array_elements(walls) as wall
      cross join jsonb_array_elements(wall -> 'points') as point
    where site = ${site}
    union all
    select deck.uid, deck.elevation, node.x, node.y
    from tour.deck join tour.node on node.deck = deck.uid where deck.site = ${site}
  ) as point group by uid, elevation`;

/** Selects new and moved positions of the files: `id`, `x`, `y`, `z`. Coordinates that are not numbers are null. */
const selectMovedPositions = (context: CheckContext, sheet: string): RawBuilder<unknown> => {
  const [x, y, z] = ['x', 'y', 'z'].map(
    (name) => sql`case when jsonb_typeof(values -> ${name}) = 'number' then (values ->> ${name})::float8 end`,
  ) as [RawBuilder<unknown>, RawBuilder<unknown>, RawBuilder<unknown>];
  // Without `offset`, the planner would read the values again for each deck.
  return sql`
    select id, x, y, z from (${importedRows(context, sheet)}) as row
      cross join lateral (select ${x} as x, ${y} as y, ${z} as z offset 0) as position
    where state in ('ADDED', 'CHANGED') and (before is null or jsonb_build_array(before -> 'x', before -> 'y', before -> 'z')
      <> jsonb_build_array(values -> 'x', values -> 'y', values -> 'z'))`;
};

/**
 * Warns about positions outside the overall extent of all decks whose distance from the nearest deck exceeds the size
 * of that extent, because they are probably in another unit. The warning is shown at the coordinate that contributes
 * most to the distance. `createFarFinder` is the rule for files of poses with the same limits. It also leaves out
 * misplaced viewpoints.
 */
export const findFarPositions = (context: CheckContext, sheet: string): RawBuilder<unknown> => sql`
  select * from (
    with extent as materialized (${selectDeckExtents(context.scope.site)}),
    overall as materialized (
      select min(west) as west, max(east) as east, min(south) as south, max(north) as north,
        min(elevation) as lowest, max(elevation) as highest,
        least(${maxSiteMetres}::float8, greatest(${minFarMetres}::float8, max(east) - min(west),
          max(north) - min(south), max(elevation) - min(elevation))) as size
      from extent
    )
    select ${finding(
      sql`case when dz >= greatest(dx, dy) then 'z' when dx >= dy then 'x' else 'y' end`,
      'tour.refused.farFromDecks',
      { distance: sql`round(metres_away)` },
      'WARNING',
    )}
    from (${selectMovedPositions(context, sheet)}) as position cross join lateral (
      select dx, dy, dz, sqrt(dx ^ 2 + dy ^ 2 + dz ^ 2) as metres_away
      from extent cross join lateral (
        select greatest(west - x, x - east, 0) as dx, greatest(south - y, y - north, 0) as dy,
          abs(z - elevation) as dz
      ) as distance
      order by metres_away limit 1
    ) as nearest
    where greatest(abs(x), abs(y), abs(z)) <= ${maxCoordinateMetres}::float8 and num_nulls(x, y, z) = 0
      and (x < (select west from overall) or x > (select east from overall)
        or y < (select south from overall) or y > (select north from overall)
        or z < (select lowest - ${minFarMetres}::float8 from overall)
        or z > (select highest + ${minFarMetres}::float8 from overall))
      and metres_away > (select size from overall)
  ) as found`;
