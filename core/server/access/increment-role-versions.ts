import { sql, type QueryExecutorProvider } from 'kysely';

/**
 * Increments the versions of these roles after a change of their locations, so that forms opened earlier are outdated.
 */
export async function incrementRoleVersions(
  transaction: QueryExecutorProvider,
  roles: readonly string[],
): Promise<void> {
  if (roles.length === 0) return;
  await sql`update core.role set version = version + 1 where uid = any(${[...roles]}::text[])`.execute(transaction);
}
