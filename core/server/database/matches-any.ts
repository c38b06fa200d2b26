import { sql, type RawBuilder, type SqlBool } from 'kysely';

/**
 * Builds a `where` condition that a text column contains one of these values, which are one parameter of the statement.
 *
 * @param column the name of the column, qualified by its table in joins
 */
export const matchesAny = (column: string, values: readonly string[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} = any(${values}::text[])`;
