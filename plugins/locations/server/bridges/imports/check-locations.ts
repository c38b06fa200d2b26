import { sql, type RawBuilder } from 'kysely';
import { locationTypes, validationMessages } from '#core';
import type { LocationWriter } from '#core/server';
import { finding, importedRows, unionAll, type CheckContext } from '#plugins/imports';
import { siteColumns } from './site-columns.ts';
import {
  selectAllowedTypePairs,
  selectKeptRows,
  selectLocationsAfterImport,
  locationsSheetId,
} from './tree-after-import.ts';

/** Checks codes, parents and site records of locations against each other and against the product. */
export function checkLocations(
  context: CheckContext,
  locationWriter: Pick<LocationWriter, 'selectLocationsWithContents'>,
): RawBuilder<unknown> {
  return unionAll(...checkRows(context), checkTree(context), checkRemovals(context, locationWriter));
}

function checkRows(context: CheckContext): readonly RawBuilder<unknown>[] {
  const { scope } = context;
  const row = sql`(${importedRows(context, locationsSheetId)}) as row`;
  const isSite = sql`values ->> 'locationType' = 'PRIMARY_LOCATION'`;
  return [
    sql`
      select ${finding('code', validationMessages.duplicate, { value: sql`values ->> 'code'` })} from ${row}
      where state = 'ADDED' and key in (select lower(uid) from core.location)`,
    sql`
      select ${finding('code', 'locations.refused.codeStays', { code: sql`before ->> 'code'` })} from ${row}
      where before is not null and values ->> 'code' <> before ->> 'code'`,
    sql`
      select ${finding('locationType', 'locations.refused.siteNeedsAll')} from ${row}
      where state = 'ADDED' and ${isSite} and not ${scope.all ?? false}::boolean`,
    sql`
      select ${finding('parent', validationMessages.mandatoryField)} from ${row}
      where values ->> 'parent' is null and not (${isSite})`,
    // A location may keep a parent that the person cannot access. No other location may get that parent.
    sql`
      select ${finding('parent', 'imports.refused.reference', {
        value: sql`values ->> 'parent'`,
        entity: sql`'locations'::text`,
      })} from ${row}
      where lower(values ->> 'parent') is distinct from lower(before ->> 'parent')
        and lower(values ->> 'parent') in (
          select lower(uid) from core.location where uid <> all(${[...scope.locations]}::text[]))`,
    sql`
      select ${finding(sql`column_id`, 'locations.refused.noSite')}
      from ${row} cross join unnest(${siteColumns.map(({ id }) => id)}::text[]) as column_id
      where values ->> column_id is not null and not (${isSite})`,
    sql`
      select ${finding('timeZone', validationMessages.mandatoryField)} from ${row}
      where ${isSite} and values ->> 'timeZone' is null and (before is null or before ->> 'timeZone' is not null)`,
  ];
}

/**
 * Checks parents: cycles, types and moves to another site. Locations without a known type or a site above them allow no
 * conclusions about those below them. Collects all children into one JSON object, because a join
 * would read all locations at each step of the recursion.
 */
function checkTree(context: CheckContext): RawBuilder<unknown> {
  const row = sql`(${importedRows(context, locationsSheetId)}) as row`;
  const isMoved = sql`(row.before is null
    or lower(row.values ->> 'parent') is distinct from lower(row.before ->> 'parent')
    or row.values ->> 'locationType' <> row.before ->> 'locationType')`;
  const types = sql`${[...locationTypes]}::text[]`;
  return sql`
    select * from (
      with recursive location as materialized (${selectLocationsAfterImport(context)}),
      allowed as materialized (${selectAllowedTypePairs()}),
      below as materialized (
        select jsonb_object_agg(parent, codes) as codes
        from (select parent, jsonb_agg(code) as codes from location where parent is not null group by parent) as children
      ),
      reached as (
        select code, code as root from location
        where parent is null or not exists (select from location as above where above.code = location.parent)
        union
        select jsonb_array_elements_text((select codes from below) -> reached.code), reached.root from reached
      )
      select ${finding('parent', 'locations.refused.cycle', { code: sql`values ->> 'parent'` })} from ${row}
      where not exists (select from reached where code = key)
      union all
      select ${finding('parent', 'locations.refused.place')} from ${row}
      join location as above on above.code = lower(row.values ->> 'parent')
      where ${isMoved} and row.values ->> 'locationType' = any(${types}) and above.type = any(${types})
        and not exists (select from allowed where child = row.values ->> 'locationType' and parent = above.type)
      union all
      select ${finding('locationType', 'locations.refused.children', { name: sql`values ->> 'name'` })} from ${row}
      where values ->> 'locationType' <> before ->> 'locationType' and exists (
        select from location as child
        where child.parent = row.key and child.uid is not null
          and child.code not in (select key from (${importedRows(context, locationsSheetId)}) as imported)
          and not exists (
            select from allowed where allowed.child = child.type and allowed.parent = row.values ->> 'locationType'))
      union all
      select ${finding('parent', 'locations.refused.otherSite')} from ${row}
      join reached on reached.code = key
      join location as site on site.code = reached.root and site.type = 'PRIMARY_LOCATION'
      join core.location as current_location on current_location.uid = row.before ->> 'code'
      where ${isMoved} and lower(current_location.root) <> reached.root
    ) as found`;
}

const checkRemovals = (
  context: CheckContext,
  locationWriter: Pick<LocationWriter, 'selectLocationsWithContents'>,
): RawBuilder<unknown> => sql`
  select ${finding('code', 'locations.refused.inUse', { name: sql`before ->> 'name'` }, 'WARNING')}
  from (${context.rows(locationsSheetId)}) as row
  where state = 'REMOVED' and id in (${selectKeptRows(context, locationWriter)})`;
