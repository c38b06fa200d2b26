import { sql, type RawBuilder } from 'kysely';
import { finding, type CheckContext, type RecheckContext } from '#plugins/imports';
import { masterParentTypes, masterTypes } from '#plugins/masters';

/**
 * Finds parents of a wrong type, parents that neither the product nor the file has, parents with only one of their two
 * columns filled in, and active masters of inactive types. A row whose type is unknown may be any parent of its name.
 */
export function checkMasters({ rows }: CheckContext): RawBuilder<unknown> {
  const parents = Object.entries(masterParentTypes);
  return sql`
    with row as (
      select id, values || coalesce(before - array(select jsonb_object_keys(values)), '{}') as values,
        ${JSON.stringify(Object.fromEntries(parents))}::jsonb ->> (values ->> 'type') as parent_type
      from (${rows('masters')}) as staged where number is not null
    ),
    child as (
      select id, values ->> 'parentType' as type, values ->> 'parentName' as name, parent_type from row
    ),
    known as (
      select type, lower(name) as name from masters.master
      union select values ->> 'type', lower(values ->> 'name') from row
    ),
    untyped as (
      select lower(values ->> 'name') as name from row where (values ->> 'type' = any(${[...masterTypes]}::text[])) is not true
    )
    select ${finding('parentName', 'core.validation.mandatoryField')}
    from child where type is not null and name is null
    union all
    select ${finding('parentType', 'core.validation.mandatoryField')}
    from child where type is null and name is not null
    union all
    select ${finding('parentType', 'imports.refused.enum', { values: sql`coalesce(parent_type, '-')` })}
    from child where type is not null and name is not null and type is distinct from parent_type
    union all
    select ${finding('status', 'masters.refused.typeInactive', { type: sql`values ->> 'type'` })}
    from row join masters.master_type on master_type.code = values ->> 'type' and not master_type.active
    where values ->> 'status' = 'Active'
    union all
    select ${finding('parentName', 'imports.refused.reference', { value: sql`name`, entity: sql`type` })}
    from child where type = parent_type and name is not null
      and not exists (select from known where known.type = child.type and known.name = lower(child.name))
      and not exists (select from untyped where untyped.name = lower(child.name))`;
}

/** Selects the children of corrected masters. A child names its parent by the former or the current name. */
export const selectChildrenToRecheck = ({ rows, corrected }: RecheckContext): RawBuilder<unknown> => sql`
  select id from (${rows('masters')}) as row
  where coalesce(values ->> 'parentName', before ->> 'parentName') is not null
    and (lower(values ->> 'parentName') in (select lower(values ->> 'name') from (${corrected('masters')}) as version)
      or lower(before ->> 'parentName') in (select lower(values ->> 'name') from (${corrected('masters')}) as version))`;
