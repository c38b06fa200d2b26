import { sql, type RawBuilder, type SqlBool } from 'kysely';

/**
 * A `where` condition that the column holds one of these locations. Filtering in the database keeps inaccessible rows
 * out of the process and pages complete.
 *
 * @param column column name, qualified by its table in joins
 */
export const atLocation = (column: string, locations: readonly string[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} = any(${locations}::text[])`;
