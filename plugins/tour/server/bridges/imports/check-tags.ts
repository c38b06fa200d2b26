import { sql, type RawBuilder } from 'kysely';
import { validationMessages } from '#core';
import type { CheckContext } from '#plugins/imports';

const finding = (column: string, message: string, values: RawBuilder<unknown> = sql`'{}'::jsonb`) => sql`
  id, ${column}::text as column_id, ${message}::text as message, ${values} as values, 'ERROR'::text as severity`;

/** A number is free or that of the same tag, can be searched, and a position has three coordinates or none. */
export function checkTags({ scope, rows }: CheckContext): RawBuilder<unknown> {
  return sql`
    with row as (
      select id, state, values ->> 'number' as number,
        values || coalesce(before - array(select jsonb_object_keys(values)), '{}') as values
      from (${rows('tags')}) as staged where number is not null
    ),
    taken as (select upper(code) as code from tour.code where site = ${scope.site} and kind = 'TAG')
    select ${finding('number', validationMessages.duplicate, sql`jsonb_build_object('value', number)`)}
    from row where state = 'ADDED' and upper(number) in (select code from taken)
    union all
    select ${finding('number', validationMessages.format)} from row where number !~ '[A-Za-z0-9]'
    union all
    select id, coordinate, ${validationMessages.mandatoryField}::text, '{}'::jsonb, 'ERROR'::text
    from row cross join unnest(array['x', 'y', 'z']) as coordinate
    where values ->> coordinate is null
      and num_nonnulls(values ->> 'x', values ->> 'y', values ->> 'z') between 1 and 2`;
}
