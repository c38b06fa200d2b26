import { sql, type RawBuilder } from 'kysely';
import { token } from '#core';

/** The masters that describe people, which a plugin owns. */
export interface PersonMasters {
  /** A query with the columns `uid`, `type`, `name`, `french_name` (text) and `active` (boolean). Empty by default. */
  readonly rows: RawBuilder<unknown>;
  /** Call it while the plugin is mounted. */
  use(rows: RawBuilder<unknown>): void;
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
    use: (query) => {
      rows = query;
    },
  };
}
