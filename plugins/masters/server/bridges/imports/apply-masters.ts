import { sql } from 'kysely';
import type { ApplyContext } from '#plugins/imports';
import type { MastersTables } from '../../tables.ts';

/** Adds and changes masters, then sets their parents, which may be new as well. */
export async function applyMasters({ rows, recordedTransaction }: ApplyContext<MastersTables>): Promise<void> {
  const { tables, lockAndRecord } = recordedTransaction;
  const changedRows = sql`
    select values, key, state from (${rows('masters')}) as staged where state in ('ADDED', 'CHANGED')`;
  const { rows: names } = await sql<{ name: string; before: string | null }>`
    select values ->> 'name' as name, before ->> 'name' as before
    from (${rows('masters')}) as staged where state in ('ADDED', 'CHANGED')`.execute(tables);
  await lockAndRecord('master', 'name', [
    ...new Set(names.flatMap(({ name, before }) => (before === null ? [name] : [name, before]))),
  ]);
  await sql`
    insert into masters.master (type, name, active, position, french_name)
    select values ->> 'type', values ->> 'name', values ->> 'status' = 'Active', (values ->> 'sequence')::integer,
      values ->> 'frenchName'
    from (${changedRows}) as row where state = 'ADDED'`.execute(tables);
  await sql`
    update masters.master as target set
      name = row.values ->> 'name',
      active = case when row.values ? 'status' then row.values ->> 'status' = 'Active' else target.active end,
      position = case when row.values ? 'sequence' then (row.values ->> 'sequence')::integer else target.position end,
      french_name = case when row.values ? 'frenchName' then row.values ->> 'frenchName' else target.french_name end
    from (${changedRows}) as row
    where row.state = 'CHANGED' and target.type = row.values ->> 'type'
      and lower(target.name) = lower(row.values ->> 'name')`.execute(tables);
  await sql`
    update masters.master as target set parent = row.parent
    from (
      select values, (
        select uid from masters.master as parent
        where parent.type = values ->> 'parentType' and lower(parent.name) = lower(values ->> 'parentName')
      ) as parent
      from (${changedRows}) as staged where values ? 'parentName'
    ) as row
    where target.type = row.values ->> 'type' and lower(target.name) = lower(row.values ->> 'name')
      and target.parent is distinct from row.parent`.execute(tables);
}
