import { sql, type RawBuilder } from 'kysely';
import { locationTypes, validationMessages } from '#core';
import type { LocationJournal } from '#core/server';
import type { CheckContext } from '#plugins/imports';
import { finding, givenRows } from './findings.ts';
import { siteColumns } from './site-columns.ts';
import { allowedPairs, selectKeptRows, locationsAfter, locationsSheetId } from './tree-after.ts';

/** Checks codes, places and site records of locations against each other and against the product. */
export function checkLocations(
  context: CheckContext,
  journal: Pick<LocationJournal, 'selectUsed'>,
): RawBuilder<unknown> {
  return sql.join([...checkRows(context), checkTree(context), checkRemovals(context, journal)], sql` union all `);
}

function checkRows(context: CheckContext): readonly RawBuilder<unknown>[] {
  const { scope } = context;
  const row = sql`(${givenRows(context, locationsSheetId)}) as row`;
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
    // The parent of what a person can access may be beyond reach. It can stay, and nothing is added to it.
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

/** The descendants of each location are one JSON object, because a join would read all locations at each step. */
function checkTree(context: CheckContext): RawBuilder<unknown> {
  const row = sql`(${givenRows(context, locationsSheetId)}) as row`;
  const isMoved = sql`(row.before is null
    or lower(row.values ->> 'parent') is distinct from lower(row.before ->> 'parent')
    or row.values ->> 'locationType' <> row.before ->> 'locationType')`;
  return sql`
    select * from (
      with recursive place as materialized (${locationsAfter(context)}),
      allowed as materialized (${allowedPairs()}),
      below as materialized (
        select jsonb_object_agg(parent, codes) as codes
        from (select parent, jsonb_agg(code) as codes from place where parent is not null group by parent) as each
      ),
      reached as (
        select code, code as root from place
        where parent is null or not exists (select from place as above where above.code = place.parent)
        union
        select jsonb_array_elements_text((select codes from below) -> reached.code), reached.root from reached
      )
      select ${finding('parent', 'locations.refused.cycle', { code: sql`values ->> 'parent'` })} from ${row}
      where not exists (select from reached where code = key)
      union all
      select ${finding('parent', 'locations.refused.place')} from ${row}
      join place as above on above.code = lower(row.values ->> 'parent')
      where ${isMoved} and row.values ->> 'locationType' = any(${[...locationTypes]}::text[]) and not exists (
        select from allowed where child = row.values ->> 'locationType' and parent = above.type)
      union all
      select ${finding('locationType', 'locations.refused.children', { name: sql`values ->> 'name'` })} from ${row}
      where values ->> 'locationType' <> before ->> 'locationType' and exists (
        select from place as child
        where child.parent = row.key and child.uid is not null
          and child.code not in (select key from (${givenRows(context, locationsSheetId)}) as given)
          and not exists (
            select from allowed where allowed.child = child.type and allowed.parent = row.values ->> 'locationType'))
      union all
      select ${finding('parent', 'locations.refused.otherSite')} from ${row}
      join reached on reached.code = key
      join core.location as present on present.uid = row.before ->> 'code'
      where ${isMoved} and lower(present.root) <> reached.root
    ) as found`;
}

const checkRemovals = (context: CheckContext, journal: Pick<LocationJournal, 'selectUsed'>): RawBuilder<unknown> => sql`
  select ${finding('code', 'locations.refused.inUse', { name: sql`before ->> 'name'` }, 'WARNING')}
  from (${context.rows(locationsSheetId)}) as row
  where state = 'REMOVED' and id in (${selectKeptRows(context, journal)})`;
