import { sql, type RawBuilder, type SqlBool } from 'kysely';

/**
 * Builds a `where` condition that the column contains one of these locations. Filtering in the database reads no
 * inaccessible rows, and fills each page of results.
 *
 * @param column the name of the column, qualified by its table in joins
 */
export const atLocation = (column: string, locations: readonly string[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} = any(${locations}::text[])`;
