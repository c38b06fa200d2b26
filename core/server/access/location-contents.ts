import { sql, type QueryExecutorProvider, type RawBuilder, type SqlBool } from 'kysely';
import type { Database } from '../database/database.ts';

export interface LocationContentCount {
  /** Id of a message with the placeholder `count`. */
  readonly message: string;
  readonly count: number;
}

interface RegisteredTable {
  readonly message: string;
  readonly schema: string;
  readonly table: string;
  /** Selects the rows that count as contents. Default: all. */
  readonly where?: RawBuilder<SqlBool>;
}

const allRows = sql<SqlBool>`true`;

/** The tables of plugins whose rows belong to locations; see `ServerContext.registerLocationContents`. */
export class LocationContents {
  readonly #database: Database;
  readonly #tables: RegisteredTable[] = [];

  constructor(database: Database) {
    this.#database = database;
  }

  register(table: RegisteredTable): void {
    this.#tables.push(table);
  }

  /** Counts the contents at these locations, in the order of registration. Omits zero counts. */
  async count(
    locations: readonly string[],
    executor: QueryExecutorProvider = this.#database.of<unknown>('core'),
  ): Promise<readonly LocationContentCount[]> {
    if (this.#tables.length === 0) return [];
    const countQueries = this.#tables.map(
      ({ message, schema, table, where = allRows }) => sql`
        select ${message}::text as message, count(*)::integer as count
        from ${sql.id(schema, table)} where location = any(${[...locations]}::text[]) and ${where}`,
    );
    const { rows } = await sql<LocationContentCount>`${sql.join(countQueries, sql` union all `)}`.execute(executor);
    return rows.filter(({ count }) => count > 0);
  }

  /** Builds a query that selects the locations with contents, in the column `location`. */
  selectLocationsWithContents(): RawBuilder<unknown> {
    const queries = this.#tables.map(
      ({ schema, table, where = allRows }) => sql`select location from ${sql.id(schema, table)} where ${where}`,
    );
    return queries.length === 0 ? sql`select null::text as location where false` : sql.join(queries, sql` union `);
  }

  /** Returns those of the locations that have contents. */
  async listLocationsWithContents(
    locations: readonly string[],
    executor: QueryExecutorProvider,
  ): Promise<readonly string[]> {
    if (locations.length === 0) return [];
    const { rows } = await sql<{ location: string }>`
      select location from (${this.selectLocationsWithContents()}) as used where location = any(${[...locations]}::text[])`.execute(
      executor,
    );
    return rows.map(({ location }) => location);
  }
}
