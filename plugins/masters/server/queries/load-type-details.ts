import { sql, type Kysely } from 'kysely';
import type { MasterTypeCode } from '#plugins/masters';
import type { MasterTypeDetails } from '../../contract/api/master-data.ts';
import type { MastersTables } from '../tables.ts';

/** Loads all types, or one, with the numbers of their masters. */
export async function loadTypeDetails(
  tables: Kysely<MastersTables>,
  type?: MasterTypeCode,
): Promise<MasterTypeDetails[]> {
  const { rows } = await sql<MasterTypeDetails>`
    select master_type.code, master_type.active, master_type.row_version as version,
      count(master.uid)::integer as masters,
      (count(master.uid) filter (where master.active and master_type.active))::integer as "activeMasters",
      (count(master.uid) filter (where master.was_active))::integer as "formerlyActive"
    from masters.master_type left join masters.master on master.type = master_type.code
    where ${type ?? null}::text is null or master_type.code = ${type ?? null}
    group by master_type.code order by master_type.position`.execute(tables);
  return rows;
}
