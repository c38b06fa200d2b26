import { sql, type QueryExecutorProvider } from 'kysely';

/** The owner of locations, sites and the access to them in the journal of changes. */
export const locationOwner = 'location';

/** Waits for the change of locations that is being written, as the journal does, until the transaction ends. */
export async function lockLocations(transaction: QueryExecutorProvider): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`core.change.${locationOwner}`}))`.execute(transaction);
}
