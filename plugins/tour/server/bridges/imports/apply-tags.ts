import { sql, type RawBuilder } from 'kysely';
import type { ApplyContext } from '#plugins/imports';
import type { TourTables } from '../../tables.ts';

/** Adds, changes and removes tags with their codes. The journal settles from which viewpoints they are seen. */
export async function applyTags({ scope, rows, recorded }: ApplyContext<TourTables>): Promise<void> {
  const { tables, record } = recorded;
  const site = scope.site ?? '';
  // Staged rows have ids of their own, so that the uid of a new tag is known before it is inserted.
  const target = sql`
    select staged.values, staged.before, staged.state,
      coalesce(tag.uid, md5('imports.staged_row ' || staged.id)::uuid::text) as uid
    from (${rows('tags')}) as staged
    left join tour.tag as tag on tag.site = ${site} and tag.code = staged.before ->> 'number'
    where staged.state in ('ADDED', 'CHANGED', 'REMOVED')`;
  const { rows: found } = await sql<{ uid: string; state: string }>`select uid, state from (${target}) as row`.execute(
    tables,
  );
  const uids = found.map(({ uid }) => uid);
  const removed = found.flatMap(({ uid, state }) => (state === 'REMOVED' ? [uid] : []));
  await record('code', 'entity', uids);
  await record('tag', 'uid', uids);
  await record('tag_view', 'tag', removed);
  await record('document_link', 'tag', removed);
  await sql`
    insert into tour.tag (uid, site, code, type, kind, description, x, y, z, location, line, search_key)
    select uid, ${site}, values ->> 'number', 'TAG', values ->> 'kind', coalesce(values ->> 'description', ''),
      (values ->> 'x')::float8, (values ->> 'y')::float8, (values ->> 'z')::float8, ${findLocation(scope.locations)},
      ${findLine(site)}, ${computeSearchKey}
    from (${target}) as row where state = 'ADDED'`.execute(tables);
  await sql`
    with row as materialized (select uid, values, before from (${target}) as each where state = 'CHANGED'),
    former as (
      update tour.code set replaced_at = now() from row
      where code.site = ${site} and code.kind = 'TAG' and code.entity = row.uid and code.replaced_at is null
        and code.code <> row.values ->> 'number'
    )
    insert into tour.code (site, kind, code, entity, replaced_at)
    select ${site}, 'TAG', values ->> 'number', uid, null from row where values ->> 'number' <> before ->> 'number'
    on conflict (site, kind, code) do update set replaced_at = null where code.entity = excluded.entity`.execute(
    tables,
  );
  await sql`
    insert into tour.code (site, kind, code, entity, replaced_at)
    select ${site}, 'TAG', values ->> 'number', uid, null from (${target}) as row where state = 'ADDED'`.execute(
    tables,
  );
  await sql`
    update tour.tag as target set code = row.values ->> 'number', kind = row.values ->> 'kind',
      description = coalesce(row.values ->> 'description', ''), x = (row.values ->> 'x')::float8,
      y = (row.values ->> 'y')::float8, z = (row.values ->> 'z')::float8, location = row.location, line = row.line,
      search_key = row.search_key
    from (
      select uid, values, ${findLocation(scope.locations)} as location, ${findLine(site)} as line,
        ${computeSearchKey} as search_key
      from (select uid, before || values as values from (${target}) as each where state = 'CHANGED') as row
    ) as row where target.uid = row.uid`.execute(tables);
  await sql`delete from tour.tag where uid = any(${removed}::text[])`.execute(tables);
  await sql`delete from tour.code where kind = 'TAG' and entity = any(${removed}::text[])`.execute(tables);
}

/** The uid of a location as the site spells it. */
const findLocation = (locations: readonly string[]): RawBuilder<string> => sql<string>`(
  select code from unnest(${[...locations]}::text[]) as code where lower(code) = lower(row.values ->> 'location') limit 1)`;

const findLine = (site: string): RawBuilder<string> => sql<string>`(
  select uid from tour.tag as line
  where line.site = ${site} and line.type = 'LINE' and lower(line.code) = lower(row.values ->> 'line') limit 1)`;

/** As `toSearchKey`. */
const computeSearchKey = sql<string>`regexp_replace(upper(row.values ->> 'number'), '[^A-Z0-9]', '', 'g')`;
