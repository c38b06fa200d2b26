import { sql, type Kysely } from 'kysely';
import type { TourTables } from '../tables.ts';

/**
 * Increments the version of a tour, or of all tours of a site, in the transaction that changes the reply of `openTour`.
 * This invalidates prepared replies.
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
