import { sql, type RawBuilder } from 'kysely';
import { importedRows, type CheckContext, type RecheckContext } from '#plugins/imports';
import { joinEntities, type EntitySheet } from './entity-rows.ts';
import { hasCorrections, selectUsedCodes } from './sheet-parts.ts';

export const viewpoints: EntitySheet = {
  sheet: 'viewpoints',
  table: 'node',
  kind: 'NODE',
  column: 'code',
  selectRowsInUse: (context) => sql`
    select id from (${joinEntities(context, viewpoints)}) as node
    where state = 'REMOVED' and (
      panorama_file is not null
      or uid in (select node from tour.capture union all select node from tour.incoming)
      or key in (
        ${selectUsedCodes(context, 'tours', 'start')} union all ${selectUsedCodes(context, 'links', 'from')}
        union all ${selectUsedCodes(context, 'links', 'to')} union all ${selectUsedCodes(context, 'lineViews', 'viewpoint')}))`,
};

/**
 * Selects all viewpoints after the import: `code` and `tour` in lower case, and `position`, their order in the tour.
 */
export const selectViewpointsAfterImport = (context: CheckContext): RawBuilder<unknown> => sql`
  select row.key as code, lower(values ->> 'tour') as tour, coalesce(node.position, 1e9 + number) as position
  from (${importedRows(context, viewpoints.sheet)}) as row
  left join tour.node on node.site = ${context.scope.site} and node.code = row.before ->> 'code'
  union all
  select lower(node.code), lower(tour.code), node.position
  from tour.node join tour.tour on tour.uid = node.tour
  where node.site = ${context.scope.site}
    and not exists (
      select from (${importedRows(context, viewpoints.sheet)}) as row where row.key = lower(node.code))`;

/** True if a correction adds or removes viewpoints, or changes their tours, decks or links. */
export const hasViewpointCorrections = (context: RecheckContext): RawBuilder<boolean> => sql<boolean>`(
  ${hasCorrections(context, viewpoints.sheet, ['tour', 'deck'])} or ${hasCorrections(context, 'links', ['from', 'to'])}
  or ${hasCorrections(context, 'tours', ['start'])} or ${hasCorrections(context, 'lineViews', ['viewpoint'])})`;

/** Selects all links after the import in both directions: `a`, `b`, the codes of their ends in lower case. */
const selectLinksAfterImport = (context: CheckContext): RawBuilder<unknown> => sql`
  select lower(values ->> 'from') as a, lower(values ->> 'to') as b from (${importedRows(context, 'links')}) as row
  union all
  select lower(values ->> 'to'), lower(values ->> 'from') from (${importedRows(context, 'links')}) as row
  union all
  select lower(a.code), lower(b.code)
  from tour.link join tour.node as a on a.uid = link.from_node join tour.node as b on b.uid = link.to_node
  where a.site = ${context.scope.site} and lower(a.code) || chr(31) || lower(b.code) not in (
    select key from (${context.rows('links')}) as row where state = 'REMOVED' and key is not null)`;

/**
 * Selects the `id` of the viewpoint rows that no chain of links connects with the first viewpoint of their tour. All
 * links are put into one JSON object, because a join would read all of them in each step of the recursion.
 */
export const selectUnreachableViewpoints = (context: CheckContext): RawBuilder<unknown> => sql`
  select id from (
    with recursive viewpoint as materialized (${selectViewpointsAfterImport(context)}),
    link as materialized (
      select jsonb_object_agg(a, ends) as ends
      from (select a, jsonb_agg(b) as ends from (${selectLinksAfterImport(context)}) as pair group by a) as grouped
    ),
    chosen as (
      select row.key as tour, lower(values ->> 'start') as code from (${importedRows(context, 'tours')}) as row
      union all
      select lower(tour.code), lower(node.code)
      from tour.tour join tour.node on node.uid = tour.start_node where tour.site = ${context.scope.site}
        and lower(tour.code) not in (select key from (${importedRows(context, 'tours')}) as row)
    ),
    first as (
      select distinct on (viewpoint.tour) viewpoint.code
      from viewpoint left join chosen on chosen.tour = viewpoint.tour and chosen.code = viewpoint.code
      order by viewpoint.tour, chosen.code is null, viewpoint.position, viewpoint.code
    ),
    reached as (
      select code from first
      union
      select jsonb_array_elements_text((select ends from link) -> reached.code) from reached
    )
    select row.id from (${importedRows(context, viewpoints.sheet)}) as row
    where not exists (select from reached where reached.code = row.key)
  ) as unreachable`;
