import { sql, type RawBuilder } from 'kysely';
import { validationMessages } from '#core';
import { finding, importedRows, unionAll, type CheckContext } from '#plugins/imports';
import type { SiteContents } from '#plugins/tour';
import { maxValidityDays } from '../../../common/permit-rules.ts';
import { usualStageChanges } from '../../../common/stages.ts';
import { assigneeRoles, zoneClassesOfKind, type ZoneKind } from '../../../contract/index.ts';
import { permitsSheetId } from './part-sheet.ts';
import { assigneesSheetId } from './people-sheets.ts';
import { toInstant, toNumber } from './sheet-sql.ts';

const sheetId = permitsSheetId;

/** Selects the values that the checks compare. Parses the values of each row only once. */
const selectImported = (context: CheckContext): RawBuilder<unknown> => sql`
  select id, key, state, former_stage, has_own_suspension_reason, has_own_outcome, value.number, value.type, value.stage,
    ${toInstant(sql`value."validFrom"`)} as valid_from, ${toInstant(sql`value."validTo"`)} as valid_to, value.tour,
    value.node, value.map, value.level, value.x is not null as has_x, value.y is not null as has_y,
    ${toNumber(sql`value.x`)} as x, ${toNumber(sql`value.y`)} as y, ${toNumber(sql`value.elevation`)} as elevation,
    value."hacZone" as hac_zone, value."h2sZone" as h2s_zone, value."suspensionReason" as suspension_reason,
    value.outcome, case jsonb_typeof(value.tags) when 'array' then value.tags else '[]' end as tags
  from (
    select id, key, state, before ->> 'stage' as former_stage,
      own ->> 'suspensionReason' is not null as has_own_suspension_reason,
      own ->> 'outcome' is not null as has_own_outcome, values
    from (${importedRows(context, sheetId)}) as imported_row
  ) as row
  cross join lateral jsonb_to_record(values) as value (number text, type text, stage text, "validFrom" text,
    "validTo" text, tour text, node text, map text, level text, x jsonb, y jsonb, elevation jsonb, "hacZone" text,
    "h2sZone" text, "suspensionReason" text, outcome text, tags jsonb)`;

/** Checks each permit against the site and the usual order of stages. Reads the imported rows only once. */
export const checkEachPermit =
  (contents: SiteContents) =>
  (context: CheckContext): RawBuilder<unknown> =>
    sql`
    select * from (
      with imported as materialized (${selectImported(context)})
      ${unionAll(
        findTakenNumbers(context),
        findWrongValidity(),
        findUnusualStageChanges(),
        findReasonsOfOtherStages(),
        findIncompletePoints(),
        findNodesOfOtherTours(context, contents),
        findUnknownTags(context, contents),
        findDifferingZones(context, 'HAC', { column: 'hacZone', zone: 'hac_zone' }),
        findDifferingZones(context, 'H2S', { column: 'h2sZone', zone: 'h2s_zone' }),
      )}
    ) as found`;

/** Finds new permits whose number belongs to a permit at a location that the person cannot access. */
const findTakenNumbers = ({ scope }: CheckContext): RawBuilder<unknown> => sql`
  select ${finding('number', validationMessages.duplicate, { value: sql`number` })}
  from imported where state = 'ADDED' and key in (
    select lower(number) from permits.permit where site = ${scope.site})`;

function findWrongValidity(): RawBuilder<unknown> {
  const days = sql`(${JSON.stringify(maxValidityDays)}::jsonb ->> type)::int`;
  return unionAll(
    sql`select ${finding('validTo', 'permits.refused.validityOrder')} from imported where valid_to <= valid_from`,
    sql`
      select ${finding('validTo', 'permits.refused.tooLong', { days }, 'WARNING')}
      from imported where valid_to - valid_from > ${days} * interval '1 day'`,
    sql`
      select ${finding('validFrom', 'permits.refused.validityPast', {}, 'WARNING')} from imported
      where state in ('ADDED', 'CHANGED') and stage <> 'CLOSED' and valid_to < now()`,
  );
}

const usualStagePairs = Object.entries(usualStageChanges).flatMap(([from, next]) => next.map((to) => `${from} ${to}`));

const findUnusualStageChanges = (): RawBuilder<unknown> => sql`
  select ${finding('stage', 'permits.refused.stageJump', { from: sql`former_stage`, to: sql`stage` }, 'WARNING')}
  from imported
  where former_stage <> stage and former_stage || ' ' || stage <> all(${usualStagePairs}::text[])`;

/** Only suspended permits have a reason, and only closed permits have an outcome. Both are then required. */
const findReasonsOfOtherStages = (): RawBuilder<unknown> =>
  unionAll(
    ...(
      [
        ['suspensionReason', 'suspension_reason', 'SUSPENDED', 'permits.refused.onlySuspended'],
        ['outcome', 'outcome', 'CLOSED', 'permits.refused.onlyClosed'],
      ] as const
    ).flatMap(([column, name, stage, onlyInStageMessage]) => [
      sql`
        select ${finding(column, validationMessages.mandatoryField)} from imported
        where stage = ${stage} and ${sql.ref(name)} is null`,
      sql`
        select ${finding(column, onlyInStageMessage, {}, 'WARNING')} from imported
        where stage <> ${stage} and ${sql.ref(`has_own_${name}`)}`,
    ]),
  );

const findIncompletePoints = (): RawBuilder<unknown> => sql`
  select ${finding(sql`case when has_x then 'y' else 'x' end`, validationMessages.mandatoryField)}
  from imported where has_x <> has_y`;

const findNodesOfOtherTours = (context: CheckContext, contents: SiteContents): RawBuilder<unknown> => sql`
  select ${finding('node', 'permits.refused.nodeElsewhere', { node: sql`node_code`, tour: sql`tour_code` })}
  from (select id, tour as tour_code, node as node_code from imported where num_nulls(tour, node) = 0) as row
  join (select uid, lower(code) as key from (${contents.select('TOUR', context.scope.site)}) as site_tour) as tour
    on tour.key = lower(tour_code)
  join (select tour, lower(code) as key from (${contents.select('NODE', context.scope.site)}) as site_node) as node
    on node.key = lower(node_code)
  where node.tour <> tour.uid`;

const findUnknownTags = (context: CheckContext, contents: SiteContents): RawBuilder<unknown> => sql`
  select * from (
    select distinct on (id) ${finding('tags', 'permits.refused.unknownTag', { value: sql`item` }, 'WARNING')}
    from imported cross join lateral jsonb_array_elements_text(tags) with ordinality as tag (item, place)
    where not exists (
      select from (${contents.select('TAG', context.scope.site)}) as known where lower(known.code) = lower(item))
    order by id, place
  ) as found`;

/** Finds permits whose zone differs from the zone on the map at their point. Derives it like `deriveZone`. */
const findDifferingZones = (
  context: CheckContext,
  kind: ZoneKind,
  { column, zone }: { readonly column: string; readonly zone: string },
): RawBuilder<unknown> => {
  const order = sql`${[...zoneClassesOfKind[kind]]}::text[]`;
  const outsideZone = kind === 'H2S' ? sql`'GREEN'` : sql`null`;
  return sql`
    select * from (
      with row as materialized (
        select id, ${sql.ref(zone)} as stated_zone, lower(map) as map, lower(level) as level, point(x, y) as place,
          elevation, valid_from, valid_to
        from imported
        where ${sql.ref(zone)} = any(${order}) and map is not null and num_nonnulls(x, y) = 2
      ),
      zone as materialized (
        select zone, array_position(${order}, zone) as rank, lower(map) as map, lower(level) as level,
          permits.to_outline(points, 0) as outline, coalesce(elevation_from, '-infinity') as low,
          coalesce(elevation_to, 'infinity') as high, coalesce(valid_from, '-infinity') as valid_from,
          coalesce(valid_to, 'infinity') as valid_to
        from permits.zone where site = ${context.scope.site} and kind = ${kind} and active
          and location = any(${[...context.scope.locations]}::text[])
      ),
      mapped as (
        select row.id, row.stated_zone, coalesce(
          (array_agg(zone.zone order by rank) filter (
            where outline @> place and (elevation is null or elevation between low and high)))[1],
          ${outsideZone}) as map_zone
        from row join zone on zone.map = row.map and (zone.level is null or row.level is null or zone.level = row.level)
          and zone.valid_from < row.valid_to and zone.valid_to > row.valid_from
        group by row.id, row.stated_zone
      )
      select ${finding(column, 'permits.refused.zoneDiffers', { file: sql`stated_zone`, map: sql`map_zone` }, 'WARNING')}
      from mapped where map_zone <> stated_zone
    ) as found`;
};

/**
 * Finds live permits that have no assignee for one of the roles after the import. An assignee without a known role may
 * have any of them.
 */
export const findMissingRoles = (context: CheckContext): RawBuilder<unknown> => sql`
  select * from (
    with live as materialized (
      select id, key from (${importedRows(context, sheetId)}) as row where values ->> 'stage' = 'LIVE'
    ),
    assignee as materialized (
      select key, number is null as removed, lower(coalesce(before, '{}') || values ->> 'permit') as permit,
        coalesce(before, '{}') || values ->> 'role' as role
      from (${context.rows(assigneesSheetId)}) as row where key is not null
    ),
    assigned as (
      select permit, role from assignee where not removed
      union
      select lower(permit.number), existing.role
      from permits.assignee as existing join permits.permit on permit.uid = existing.permit
      where permit.site = ${context.scope.site} and lower(permit.number) in (select key from live)
        and not exists (
          select from assignee
          where key = lower(permit.number) || chr(31) || lower(existing.role) || chr(31) || lower(existing.name))
    ),
    unknown_role as (
      select permit from assigned where (role = any(${[...assigneeRoles]}::text[])) is not true
    ),
    missing as (
      select live.id, string_agg(role, ', ' order by place) as roles
      from live cross join unnest(${[...assigneeRoles]}::text[]) with ordinality as required (role, place)
      where not exists (select from assigned where assigned.permit = live.key and assigned.role = required.role)
        and not exists (select from unknown_role where unknown_role.permit = live.key)
      group by live.id
    )
    select ${finding('stage', 'permits.refused.roleMissing', { roles: sql`roles` }, 'WARNING')} from missing
  ) as found`;
