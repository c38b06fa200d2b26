import { sql, type RawBuilder } from 'kysely';
import type { CheckContext, DependentsContext } from '#plugins/imports';
import { joinEntities, type EntitySheet } from './entity-rows.ts';
import { givenRows, isCorrected, usedCodes } from './sheet-parts.ts';

export const viewpoints: EntitySheet = {
  sheet: 'viewpoints',
  table: 'node',
  kind: 'NODE',
  column: 'code',
  inUse: (context) => sql`
    select id from (${joinEntities(context, viewpoints)}) as node
    where state = 'REMOVED' and (
      panorama_file is not null
      or uid in (select node from tour.capture union all select node from tour.incoming)
      or key in (
        ${usedCodes(context, 'tours', 'start')} union all ${usedCodes(context, 'links', 'from')}
        union all ${usedCodes(context, 'links', 'to')} union all ${usedCodes(context, 'lineViews', 'viewpoint')}))`,
};

/** All viewpoints after the import: `code, tour` in lower case, and `place`, their order in the tour. */
export const placesAfter = (context: CheckContext): RawBuilder<unknown> => sql`
  select row.key as code, lower(values ->> 'tour') as tour, coalesce(node.position, 1e9 + number) as place
  from (${givenRows(context, viewpoints.sheet)}) as row
  left join tour.node on node.site = ${context.scope.site} and node.code = row.before ->> 'code'
  union all
  select lower(node.code), lower(tour.code), node.position
  from tour.node join tour.tour on tour.uid = node.tour
  where node.site = ${context.scope.site}
    and not exists (
      select from (${givenRows(context, viewpoints.sheet)}) as row where row.key = lower(node.code))`;

/** Whether a correction changes which viewpoints there are, their tours and decks, or the ways between them. */
export const arePlacesCorrected = (context: DependentsContext): RawBuilder<boolean> => sql<boolean>`(
  ${isCorrected(context, viewpoints.sheet, ['tour', 'deck'])} or ${isCorrected(context, 'links', ['from', 'to'])}
  or ${isCorrected(context, 'tours', ['start'])} or ${isCorrected(context, 'lineViews', ['viewpoint'])})`;

/** All ways after the import, with the codes of their ends in lower case. */
const waysAfter = (context: CheckContext): RawBuilder<unknown> => sql`
  select lower(values ->> 'from') as a, lower(values ->> 'to') as b from (${givenRows(context, 'links')}) as row
  union all
  select lower(values ->> 'to'), lower(values ->> 'from') from (${givenRows(context, 'links')}) as row
  union all
  select lower(a.code), lower(b.code)
  from tour.link join tour.node as a on a.uid = link.from_node join tour.node as b on b.uid = link.to_node
  where a.site = ${context.scope.site} and lower(a.code) || chr(31) || lower(b.code) not in (
    select key from (${context.rows('links')}) as row where state = 'REMOVED' and key is not null)`;

/**
 * Ids of the rows of viewpoints to which no way leads from the first one of their tour. The ways are one JSON object,
 * because a join would read all of them at each step.
 */
export const findUnreachable = (context: CheckContext): RawBuilder<unknown> => sql`
  select id from (
    with recursive place as materialized (${placesAfter(context)}),
    way as materialized (
      select jsonb_object_agg(a, ends) as ends
      from (select a, jsonb_agg(b) as ends from (${waysAfter(context)}) as each group by a) as grouped
    ),
    chosen as (
      select row.key as tour, lower(values ->> 'start') as code from (${givenRows(context, 'tours')}) as row
      union all
      select lower(tour.code), lower(node.code)
      from tour.tour join tour.node on node.uid = tour.start_node where tour.site = ${context.scope.site}
        and lower(tour.code) not in (select key from (${givenRows(context, 'tours')}) as row)
    ),
    first as (
      select distinct on (place.tour) place.code
      from place left join chosen on chosen.tour = place.tour and chosen.code = place.code
      order by place.tour, chosen.code is null, place.place, place.code
    ),
    reached as (
      select code from first
      union
      select jsonb_array_elements_text((select ends from way) -> reached.code) from reached
    )
    select row.id from (${givenRows(context, viewpoints.sheet)}) as row
    where not exists (select from reached where reached.code = row.key)
  ) as unreachable`;
