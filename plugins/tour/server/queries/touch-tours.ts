import { sql, type Kysely } from 'kysely';
import type { TourTables } from '../tables.ts';

/**
 * Raises the version of a tour, or of all tours of a site, in the transaction that changes what `openTour` answers:
 * replies that were prepared before are not sent any more.
 */
export async function touchTours(
  transaction: Kysely<TourTables>,
  column: 'uid' | 'site',
  value: string,
): Promise<void> {
  await transaction
    .updateTable('tour')
    .set({ version: sql<number>`version + 1` })
    .where(column, '=', value)
    .execute();
}
