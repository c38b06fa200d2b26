import { sql } from 'kysely';
import { validationMessages, type ProviderId } from '#core';
import { coreRefusal, type Changed } from '#core/api';
import type { Roles } from '../access/roles.ts';
import type { CallAuthor, ContentChanges } from '../changes/content-changes.ts';
import type { Database } from '../database/database.ts';
import { isUniqueViolation } from '../kernel/database-error.ts';
import { conflict, invalidRequest, notFound } from '../kernel/server-error.ts';
import { assertCovers, loadGrants } from '../access/own-access.ts';
import type { GroupRoleTables } from './group-role-tables.ts';

export interface GroupRoleContext {
  readonly database: Database;
  readonly changes: ContentChanges<GroupRoleTables>;
  readonly roles: Roles;
}

/**
 * Registers the roles of groups with the change journal. People cannot map, remove or undo more than their own access.
 */
export function registerGroupRoleChanges(changes: ContentChanges<GroupRoleTables>): void {
  changes.register({
    tables: { group_role: { key: ['uid'], name: 'value' } },
    undoAccess: 'userManagement',
    guard: async ({ transaction, changed, former, caller, accessible }) => {
      const roles = [...(changed.group_role ?? []), ...(former.group_role ?? [])].map(({ role }) => String(role));
      for (const grants of (await loadGrants(transaction, roles)).values())
        assertCovers({ caller, accessible }, grants);
    },
  });
}

/**
 * @throws `noAccess` (403) beyond the caller's own access; `invalidRequest` (400) on an unknown or inactive role;
 *   `conflict` (409)
 */
export async function createGroupRole(
  { changes, roles }: GroupRoleContext,
  { caller, requestId }: CallAuthor,
  input: { readonly uid: string; readonly provider: ProviderId; readonly group: string; readonly role: string },
): Promise<Changed> {
  const row = { uid: input.uid, provider: input.provider, value: input.group.trim(), role: input.role };
  if (row.value === '')
    throw invalidRequest('The group is empty.', [{ pointer: '/group', message: validationMessages.mandatory }]);
  const earlierCreation = await changes.findCreation('group_role', [row]);
  if (earlierCreation?.author === caller.uid) return { change: earlierCreation.change };
  const role = await roles.find(row.role);
  if (role?.status !== 'ACTIVE')
    throw invalidRequest(coreRefusal('core.refused.personChoice'), [
      { pointer: '/role', message: validationMessages.choice },
    ]);
  return changes
    .apply(
      { caller, requestId },
      { action: 'groupRole.created', subject: row.uid, name: `${row.value}: ${role.name}`, location: '' },
      async ({ tables, lockAndRecord }) => {
        await lockAndRecord('group_role', 'uid', [row.uid]);
        await tables.insertInto('group_role').values(row).execute();
      },
    )
    .catch((error: unknown) => {
      throw isUniqueViolation(error)
        ? conflict(coreRefusal('core.refused.groupRoleTaken', { group: row.value, role: role.name }))
        : error;
    });
}

/** @throws `notFound` (404); `noAccess` (403) beyond the caller's own access */
export async function deleteGroupRole(
  { database, changes, roles }: GroupRoleContext,
  { caller, requestId }: CallAuthor,
  uid: string,
): Promise<Changed> {
  const currentMapping = await database
    .of<GroupRoleTables>('core')
    .selectFrom('group_role')
    .selectAll()
    .where('uid', '=', uid)
    .executeTakeFirst();
  const role = currentMapping && (await roles.find(currentMapping.role));
  if (!role) throw notFound('This group');
  return changes.apply(
    { caller, requestId },
    { action: 'groupRole.deleted', subject: uid, name: `${currentMapping.value}: ${role.name}`, location: '' },
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('group_role', 'uid', [uid]);
      await sql`delete from core.group_role where uid = ${uid}`.execute(tables);
    },
  );
}
