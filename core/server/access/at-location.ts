import type { RawBuilder, SqlBool } from 'kysely';
import { matchesAny } from '../database/matches-any.ts';

/**
 * Builds a `where` condition that the column contains one of these locations. Filtering in the database reads no
 * inaccessible rows, and fills each page of results.
 *
 * @param column the name of the column, qualified by its table in joins
 */
export const atLocation = (column: string, locations: readonly string[]): RawBuilder<SqlBool> =>
  matchesAny(column, locations);
