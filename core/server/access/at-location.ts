import { sql, type RawBuilder, type SqlBool } from 'kysely';

/**
 * The condition that a column holds one of these locations, for `where`: what a caller must not see never leaves the
 * database, and pages are cut after it.
 *
 * @param column its name, with its table where a query joins several
 */
export const atLocation = (column: string, locations: readonly string[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} = any(${locations}::text[])`;
