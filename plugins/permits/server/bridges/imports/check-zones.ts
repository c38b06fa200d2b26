import { sql, type RawBuilder } from 'kysely';
import { validationMessages } from '#core';
import { finding, importedRows, unionAll, type CheckContext } from '#plugins/imports';
import { zoneClassesOfKind, type ZoneKind } from '../../../contract/index.ts';
import { instantValue, numberValue, textValue } from './sheet-sql.ts';

export const zonesSheetId = 'zones';

/** Percent by which zones are shrunk before they are compared, so that zones that only share a side do not overlap. */
const insetPercent = 0.001;
/** Maps with more zones are not checked for overlaps, because every pair of zones is compared. */
const maxComparedZones = 2000;

export const checkZones =
  (kind: ZoneKind) =>
  (context: CheckContext): RawBuilder<unknown> =>
    unionAll(
      // The code may belong to a zone at a location that the person cannot access.
      sql`
        select ${finding('code', validationMessages.duplicate, { value: textValue('code') })}
        from (${context.rows(zonesSheetId)}) as row where state = 'ADDED' and key in (
          select lower(code) from permits.zone where site = ${context.scope.site} and kind = ${kind})`,
      sql`
        select ${finding('elevationTo', 'permits.refused.elevationOrder')}
        from (${importedRows(context, zonesSheetId)}) as row where ${numberValue('elevationTo')} <= ${numberValue('elevationFrom')}`,
      sql`
        select ${finding('validTo', 'permits.refused.validityOrder')}
        from (${importedRows(context, zonesSheetId)}) as row where ${instantValue('validTo')} <= ${instantValue('validFrom')}`,
      findOverlaps(context, kind),
    );

/** Selects the zones that are active after the import. Zones of the file have the id of their row. */
const selectZonesAfterImport = (context: CheckContext, kind: ZoneKind): RawBuilder<unknown> => sql`
  select id, values ->> 'code' as code, values ->> 'zone' as zone, lower(values ->> 'map') as map,
    lower(values ->> 'level') as level, permits.to_points(values ->> 'points') as points,
    ${numberValue('elevationFrom')} as elevation_from, ${numberValue('elevationTo')} as elevation_to,
    ${instantValue('validFrom')} as valid_from, ${instantValue('validTo')} as valid_to
  from (${importedRows(context, zonesSheetId)}) as row where values ->> 'active' is distinct from 'false'
  union all
  select null, code, zone, lower(map), lower(level), points, elevation_from, elevation_to, valid_from, valid_to
  from permits.zone
  where site = ${context.scope.site} and kind = ${kind} and active
    and location = any(${[...context.scope.locations]}::text[])
    and not exists (select from (${context.rows(zonesSheetId)}) as row where key = lower(code))`;

/** Finds zones of different severity that overlap in space and time, because only the more severe one applies. */
const findOverlaps = (context: CheckContext, kind: ZoneKind): RawBuilder<unknown> => sql`
  select * from (
    with zone as materialized (
      select * from (
        select *, count(*) over (partition by map) as zones, min(zone) over (partition by map) as first,
          max(zone) over (partition by map) as last
        from (${selectZonesAfterImport(context, kind)}) as active_zone where zone = any(${[...zoneClassesOfKind[kind]]}::text[])
      ) as counted
      where zones <= ${maxComparedZones}::int and first <> last
    ),
    outlined as materialized (
      select *, permits.to_outline(points, ${insetPercent}) as outline,
        coalesce(elevation_from, '-infinity') as low, coalesce(elevation_to, 'infinity') as high,
        coalesce(valid_from, '-infinity') as start, coalesce(valid_to, 'infinity') as finish
      from zone
    ),
    overlap as (
      select distinct on (own.id) own.id, other.code, other.zone
      from outlined as own join outlined as other on other.map = own.map and other.zone <> own.zone
        and (own.level is null or other.level is null or other.level = own.level)
        and own.low < other.high and own.high > other.low and own.start < other.finish and own.finish > other.start
        and own.outline && other.outline
      where own.id is not null
      order by own.id, array_position(${[...zoneClassesOfKind[kind]]}::text[], other.zone), other.code
    )
    select ${finding('points', 'permits.refused.zoneOverlap', { code: sql`code`, zone: sql`zone` }, 'WARNING')}
    from overlap
  ) as found`;
