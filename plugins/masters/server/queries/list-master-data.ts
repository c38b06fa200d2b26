import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { QueryOf } from '#core';
import { maxMasterRows } from '#plugins/masters';
import type { listMasterData, MasterData } from '../../contract/api/master-data.ts';
import type { MastersTables } from '../tables.ts';

type MasterRow = Omit<MasterData, 'parent'> & { readonly parentUid: string | null; readonly parentName: string | null };

const isActive = sql`(master.active and master_type.active)`;

const selectMasters = (from: RawBuilder<unknown>): RawBuilder<MasterRow> => sql<MasterRow>`
  select master.uid, master.type, master.name, master.french_name as "frenchName", ${isActive} as active,
    master.position as sequence, master.row_version as version, parent.uid as "parentUid", parent.name as "parentName"
  from ${from} join masters.master_type on master_type.code = master.type
  left join masters.master as parent on parent.uid = master.parent`;

const toMasterData = ({ parentUid, parentName, ...row }: MasterRow): MasterData => ({
  ...row,
  parent: parentUid === null || parentName === null ? null : { uid: parentUid, name: parentName },
});

/** Undefined if it does not exist. */
export async function findMasterData(tables: Kysely<MastersTables>, uid: string): Promise<MasterData | undefined> {
  const { rows } = await sql<MasterRow>`
    ${selectMasters(sql`masters.master`)} where master.uid = ${uid}`.execute(tables);
  return rows.map(toMasterData)[0];
}

const escapePattern = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/** Lists masters, active and inactive ones unless `status` is given. The number of queries does not grow with rows. */
export async function listMasters(
  tables: Kysely<MastersTables>,
  { text = '', type, status, sort, descending, offset = 0, limit = maxMasterRows }: QueryOf<typeof listMasterData>,
): Promise<{ readonly total: number; readonly offset: number; readonly rows: MasterData[] }> {
  const pattern = `%${escapePattern(text.trim())}%`;
  const conditions = [
    ...(type === undefined ? [] : [sql`master.type = ${type}`]),
    ...(text.trim() === '' ? [] : [sql`(master.name ilike ${pattern} or master.french_name ilike ${pattern})`]),
    ...(status === undefined ? [] : [status === 'ACTIVE' ? isActive : sql`not ${isActive}`]),
  ];
  const condition = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
  const direction = descending === 'true' ? sql`desc` : sql`asc`;
  const nameOrder = sql`lower(master.name) ${direction}, master.uid`;
  const order =
    sort === 'name'
      ? nameOrder
      : sort === 'sequence'
        ? sql`master.position ${direction}, ${nameOrder}`
        : sql`master.type, master.position, lower(master.name), master.uid`;
  const from = sql`masters.master join masters.master_type on master_type.code = master.type where ${condition}`;
  // Parents are looked up for the rows of the page alone.
  const page = sql`(
    select master.* from ${from} order by ${order} offset ${offset} limit ${limit}) as master`;
  const [total, { rows }] = await Promise.all([
    sql<{ total: number }>`select count(*)::integer as total from ${from}`.execute(tables),
    sql<MasterRow>`${selectMasters(page)} order by ${order}`.execute(tables),
  ]);
  return { total: total.rows[0]?.total ?? 0, offset, rows: rows.map(toMasterData) };
}
