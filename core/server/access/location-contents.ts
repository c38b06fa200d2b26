import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

export interface LocationContentCount {
  /** Id of a text with the placeholder `count`. */
  readonly message: string;
  readonly count: number;
}

interface RegisteredTable {
  readonly message: string;
  readonly schema: string;
  readonly table: string;
}

/** The tables of plugins whose rows belong to locations; see `ServerContext.registerContents`. */
export class LocationContents {
  readonly #database: Database;
  readonly #tables: RegisteredTable[] = [];

  constructor(database: Database) {
    this.#database = database;
  }

  register(table: RegisteredTable): void {
    this.#tables.push(table);
  }

  /** Contents of which there are any at these locations, in the order of registration. */
  async count(locations: readonly string[]): Promise<readonly LocationContentCount[]> {
    if (this.#tables.length === 0) return [];
    const counts = this.#tables.map(
      ({ message, schema, table }) => sql`
        select ${message}::text as message, count(*)::integer as count
        from ${sql.id(schema, table)} where location = any(${[...locations]}::text[])`,
    );
    const { rows } = await sql<LocationContentCount>`${sql.join(counts, sql` union all `)}`.execute(
      this.#database.of<unknown>('core'),
    );
    return rows.filter(({ count }) => count > 0);
  }
}
