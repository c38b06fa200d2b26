import { sql } from 'kysely';
import { createGroupRole, deleteGroupRole, listGroupRoleChoices, listGroupRoles, type GroupRole } from '#core/api';
import { LocationStore } from '../access/location-store.ts';
import { Roles } from '../access/roles.ts';
import { ChangeJournal } from '../changes/change-journal.ts';
import type { CorePart } from '../kernel/core-part.ts';
import { covers, loadOwnAccess } from '../access/own-access.ts';
import * as commands from './group-role-changes.ts';
import type { GroupRoleTables } from './group-role-tables.ts';

const defaultPageSize = 100;

/**
 * Lets admins map groups of identity providers to roles. `ProviderGroups` applies the mapping at each single sign-on.
 */
export const groupRolesPart: CorePart = {
  id: 'groupRole',
  migrations: [],
  mount(api, { service, database, config }) {
    const roles = service(Roles);
    const locations = service(LocationStore);
    const changes = service(ChangeJournal).of<GroupRoleTables>('groupRole', 'core');
    commands.registerGroupRoleChanges(changes);
    const context = { database, changes, roles };
    const tables = database.of<GroupRoleTables>('core');

    api.serve(listGroupRoles, async ({ query: { offset = 0, limit = defaultPageSize } }) => {
      const countResult = await sql<{ total: number }>`
        select count(*)::integer as total from core.group_role`.execute(tables);
      const { rows } = await sql<GroupRole>`
        select mapped.uid, mapped.provider, mapped.value as group,
          jsonb_build_object('uid', role.uid, 'name', role.name, 'status', role.status) as role
        from core.group_role mapped join core.role role on role.uid = mapped.role
        order by mapped.provider, lower(mapped.value), lower(role.name), mapped.uid
        limit ${limit} offset ${offset}`.execute(tables);
      return { total: countResult.rows[0]?.total ?? 0, offset, rows: [...rows] };
    });
    api.serve(listGroupRoleChoices, async ({ caller }) => {
      const ownAccess = await loadOwnAccess(caller, locations);
      return {
        providers: (['first', 'second'] as const).flatMap((id) => {
          const provider = config.signOn[id];
          return provider === undefined ? [] : [{ id, claim: provider.groupsClaim ?? null }];
        }),
        roles: (await roles.list())
          .filter((role) => role.status === 'ACTIVE' && covers(ownAccess, role))
          .map(({ uid, name }) => ({ uid, name })),
      };
    });
    api.serve(createGroupRole, (call) => commands.createGroupRole(context, call, call.body));
    api.serve(deleteGroupRole, (call) => commands.deleteGroupRole(context, call, call.params.groupRole));
  },
};
