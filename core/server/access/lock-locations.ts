import { sql, type QueryExecutorProvider } from 'kysely';

/** The owner id of locations, sites and their role grants in the change journal. */
export const locationOwner = 'location';

/** Locks all locations until the transaction ends, with the lock that the change journal uses too. */
export async function lockLocations(transaction: QueryExecutorProvider): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`core.change.${locationOwner}`}))`.execute(transaction);
}
