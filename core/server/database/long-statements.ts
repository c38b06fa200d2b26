import { sql, type QueryExecutorProvider } from 'kysely';

/**
 * Lets the statements of this transaction of a job take ten minutes each. Statements of requests may take 30 seconds,
 * which the checks of 100,000 rows exceed on a busy server. The embedded database has no limits.
 */
export async function allowLongStatements(transaction: QueryExecutorProvider): Promise<void> {
  await sql`set local statement_timeout = '10min'`.execute(transaction);
}
