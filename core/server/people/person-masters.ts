import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import { personMasters, token } from '#core';
import { masterColumns } from './list-people.ts';

/** The masters that describe people, such as departments. A plugin owns them. */
export interface PersonMasters {
  /** A query with the columns `uid`, `type`, `name`, `french_name` (text) and `active` (boolean). Empty by default. */
  readonly rows: RawBuilder<unknown>;
  /** Call it while the plugin is mounted. */
  setRows(rows: RawBuilder<unknown>): void;
  /** The number of people whom each of these masters describes, by uid. Omits masters that describe nobody. */
  countPeople(database: QueryExecutorProvider, masters: readonly string[]): Promise<ReadonlyMap<string, number>>;
}
export const PersonMasters = token<PersonMasters>('core.PersonMasters');

export function createPersonMasters(): PersonMasters {
  let rows: RawBuilder<unknown> = sql`
    select null::text as uid, null::text as type, null::text as name, null::text as french_name, true as active
    where false`;
  return {
    get rows() {
      return rows;
    },
    setRows: (query) => {
      rows = query;
    },
    async countPeople(database, masters) {
      if (masters.length === 0) return new Map();
      const columns = sql.join(personMasters.map((property) => sql.id('account', masterColumns[property])));
      const countResult = await sql<{ master: string; count: number }>`
        select master, count(distinct account.uid)::integer as count
        from core.user_account account cross join lateral unnest(array[${columns}]) as master
        where master = any(${[...masters]}::text[]) group by master`.execute(database);
      return new Map(countResult.rows.map(({ master, count }) => [master, count]));
    },
  };
}
