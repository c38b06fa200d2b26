import { sql, type RawBuilder } from 'kysely';
import { validationMessages } from '#core';
import { finding, importedRows, unionAll, type CheckContext } from '#plugins/imports';
import type { SiteContents } from '#plugins/tour';
import { maxValidityDays } from '../../../common/permit-rules.ts';
import { usualStageChanges } from '../../../common/stages.ts';
import { assigneeRoles, zonesOfKind, type ZoneKind } from '../../../contract/index.ts';
import { permitsSheetId } from './part-sheet.ts';
import { assigneesSheetId } from './people-sheets.ts';
import { instant, numeric, text } from './sheet-sql.ts';

const sheet = permitsSheetId;

/** Permits against each other, the site and the order of stages. Warnings prevent nothing. The rows are read once. */
export const checkPermits =
  (contents: SiteContents) =>
  (context: CheckContext): RawBuilder<unknown> =>
    sql`
    select * from (
      with given as materialized (
        select *, ${instant('validFrom')} as valid_from, ${instant('validTo')} as valid_to
        from (${importedRows(context, sheet)}) as row
      )
      ${unionAll(
        findTakenNumbers(context),
        findWrongValidity(),
        findStageJumps(),
        findReasons(),
        findHalfPoints(),
        findNodesElsewhere(context, contents),
        findUnknownTags(context, contents),
        findOtherZones(context, 'HAC', 'hacZone'),
        findOtherZones(context, 'H2S', 'h2sZone'),
        findMissingRoles(context),
      )}
    ) as found`;

/** A permit at a location that the person cannot access is not shown, but has its number. */
const findTakenNumbers = ({ scope }: CheckContext): RawBuilder<unknown> => sql`
  select ${finding('number', validationMessages.duplicate, { value: text('number') })}
  from given where state = 'ADDED' and key in (
    select lower(number) from permits.permit where site = ${scope.site})`;

function findWrongValidity(): RawBuilder<unknown> {
  const days = sql`(${JSON.stringify(maxValidityDays)}::jsonb ->> (values ->> 'type'))::int`;
  return unionAll(
    sql`select ${finding('validTo', 'permits.refused.validityOrder')} from given where valid_to <= valid_from`,
    sql`
      select ${finding('validTo', 'permits.refused.tooLong', { days }, 'WARNING')}
      from given where valid_to - valid_from > ${days} * interval '1 day'`,
    sql`
      select ${finding('validFrom', 'permits.refused.validityPast', {}, 'WARNING')} from given
      where state in ('ADDED', 'CHANGED') and values ->> 'stage' <> 'CLOSED' and valid_to < now()`,
  );
}

const usualChanges = Object.entries(usualStageChanges).flatMap(([from, next]) => next.map((to) => `${from} ${to}`));

const findStageJumps = (): RawBuilder<unknown> => sql`
  select ${finding('stage', 'permits.refused.stageJump', { from: sql`before ->> 'stage'`, to: text('stage') }, 'WARNING')}
  from given
  where before ->> 'stage' <> values ->> 'stage'
    and (before ->> 'stage') || ' ' || (values ->> 'stage') <> all(${usualChanges}::text[])`;

/** A suspended permit has a reason, a closed one an outcome, and no other has either. */
const findReasons = (): RawBuilder<unknown> =>
  unionAll(
    ...(
      [
        ['suspensionReason', 'SUSPENDED', 'permits.refused.onlySuspended'],
        ['outcome', 'CLOSED', 'permits.refused.onlyClosed'],
      ] as const
    ).flatMap(([column, stage, ignored]) => [
      sql`
        select ${finding(column, validationMessages.mandatoryField)} from given
        where values ->> 'stage' = ${stage} and ${text(column)} is null`,
      // The value of a permit that has left the stage is not given by the file.
      sql`
        select ${finding(column, ignored, {}, 'WARNING')} from given
        where values ->> 'stage' <> ${stage} and own ->> ${column} is not null`,
    ]),
  );

const findHalfPoints = (): RawBuilder<unknown> => sql`
  select ${finding(sql`column_id`, validationMessages.mandatoryField)}
  from given cross join unnest(array['x', 'y']) as column_id
  where values ->> column_id is null and num_nonnulls(values ->> 'x', values ->> 'y') = 1`;

const findNodesElsewhere = (context: CheckContext, contents: SiteContents): RawBuilder<unknown> => sql`
  select ${finding('node', 'permits.refused.nodeElsewhere', { node: text('node'), tour: text('tour') })}
  from given
  join (select uid, lower(code) as key from (${contents.select('TOUR', context.scope.site)}) as each) as tour
    on tour.key = lower(values ->> 'tour')
  join (select tour, lower(code) as key from (${contents.select('NODE', context.scope.site)}) as each) as node
    on node.key = lower(values ->> 'node')
  where node.tour <> tour.uid`;

const findUnknownTags = (context: CheckContext, contents: SiteContents): RawBuilder<unknown> => sql`
  select * from (
    select distinct on (id) ${finding('tags', 'permits.refused.unknownTag', { value: sql`item` }, 'WARNING')}
    from given cross join lateral jsonb_array_elements_text(
      case jsonb_typeof(values -> 'tags') when 'array' then values -> 'tags' else '[]' end) with ordinality as tag (item, place)
    where not exists (
      select from (${contents.select('TAG', context.scope.site)}) as known where lower(known.code) = lower(item))
    order by id, place
  ) as found`;

/** The zone by the zones of today, as `deriveZone`, where the file says another one. */
const findOtherZones = (context: CheckContext, kind: ZoneKind, column: string): RawBuilder<unknown> => {
  const order = sql`${[...zonesOfKind[kind]]}::text[]`;
  const outsideZone = kind === 'H2S' ? sql`'GREEN'` : sql`null`;
  return sql`
    select * from (
      with row as materialized (
        select id, values, lower(values ->> 'map') as map, lower(values ->> 'level') as level,
          point(${numeric('x')}, ${numeric('y')}) as place, ${numeric('elevation')} as elevation,
          valid_from, valid_to
        from given
        where ${text(column)} = any(${order}) and ${text('map')} is not null
          and num_nonnulls(${numeric('x')}, ${numeric('y')}) = 2
      ),
      zone as materialized (
        select zone, array_position(${order}, zone) as rank, lower(map) as map, lower(level) as level,
          permits.to_outline(points, 0) as outline, coalesce(elevation_from, '-infinity') as low,
          coalesce(elevation_to, 'infinity') as high, coalesce(valid_from, '-infinity') as valid_from,
          coalesce(valid_to, 'infinity') as valid_to
        from permits.zone where site = ${context.scope.site} and kind = ${kind} and active
          and location = any(${[...context.scope.locations]}::text[])
      ),
      derived as (
        select row.id, row.values, coalesce(
          (array_agg(zone.zone order by rank) filter (
            where outline @> place and (elevation is null or elevation between low and high)))[1], ${outsideZone}) as derived
        from row join zone on zone.map = row.map and (zone.level is null or row.level is null or zone.level = row.level)
          and zone.valid_from < row.valid_to and zone.valid_to > row.valid_from
        group by row.id, row.values
      )
      select ${finding(column, 'permits.refused.zoneDiffers', { file: text(column), map: sql`derived` }, 'WARNING')}
      from derived where derived <> values ->> ${column}
    ) as found`;
};

/** Live permits without somebody of each role after the import. */
const findMissingRoles = (context: CheckContext): RawBuilder<unknown> => sql`
  select * from (
    with live as materialized (
      select id, key from given where values ->> 'stage' = 'LIVE'
    ),
    assignee as materialized (
      select key, number is null as removed, lower(coalesce(before, '{}') || values ->> 'permit') as permit,
        coalesce(before, '{}') || values ->> 'role' as role
      from (${context.rows(assigneesSheetId)}) as row where key is not null
    ),
    assigned as (
      select permit, role from assignee where not removed
      union
      select lower(permit.number), today.role
      from permits.assignee as today join permits.permit on permit.uid = today.permit
      where permit.site = ${context.scope.site} and lower(permit.number) in (select key from live)
        and not exists (
          select from assignee
          where key = lower(permit.number) || chr(31) || lower(today.role) || chr(31) || lower(today.name))
    ),
    missing as (
      select live.id, string_agg(role, ', ' order by place) as roles
      from live cross join unnest(${[...assigneeRoles]}::text[]) with ordinality as needed (role, place)
      where not exists (select from assigned where assigned.permit = live.key and assigned.role = needed.role)
      group by live.id
    )
    select ${finding('stage', 'permits.refused.roleMissing', { roles: sql`roles` }, 'WARNING')} from missing
  ) as found`;
