import { sql, type QueryExecutorProvider } from 'kysely';

/** Counts a change of the locations of these roles as a change of the roles, for forms that were opened before. */
export async function countRoleVersions(transaction: QueryExecutorProvider, roles: readonly string[]): Promise<void> {
  if (roles.length === 0) return;
  await sql`update core.role set version = version + 1 where uid = any(${[...roles]}::text[])`.execute(transaction);
}
