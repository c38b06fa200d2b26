import { sql, type QueryExecutorProvider } from 'kysely';

/** The owner id under which the change journal records locations, site records and the access of roles to locations. */
export const locationOwner = 'location';

/** Locks all locations until the transaction ends, with the lock that the change journal uses too. */
export async function lockLocations(transaction: QueryExecutorProvider): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`core.change.${locationOwner}`}))`.execute(transaction);
}
