import { updateRole, createRole, getRole, listRoles, previewRole, setRoleStatus } from '#core/api';
import { AccessChanges } from '../access/access-changes.ts';
import { LocationStore } from '../access/location-store.ts';
import { Roles } from '../access/roles.ts';
import { ChangeJournal } from '../changes/change-journal.ts';
import type { CorePart } from '../kernel/core-part.ts';
import { notFound } from '../kernel/server-error.ts';
import { computeRoleEffects, listRoleHolders } from './compute-role-effects.ts';
import { listRoles as queryRoles } from './list-roles.ts';
import { RoleChanges } from './role-changes.ts';
import type { RoleTables } from './role-tables.ts';
import { toRoleReply } from './to-role-reply.ts';

/** The administration of roles. */
export const rolesPart: CorePart = {
  id: 'role',
  migrations: [],
  mount(api, { service, database, clock }) {
    const roles = service(Roles);
    const locations = service(LocationStore);
    const tables = database.of<unknown>('core');
    const changes = new RoleChanges({
      changes: service(ChangeJournal).of<RoleTables>('role', 'core'),
      accessChanges: service(AccessChanges),
      roles,
      clock,
    });
    api.serve(listRoles, ({ query }) => queryRoles(tables, query));
    api.serve(getRole, async ({ params }) => {
      const role = await roles.find(params.role);
      if (!role) throw notFound('This role');
      return toRoleReply(role);
    });
    api.serve(createRole, ({ caller, body, requestId }) => changes.create({ caller, requestId }, body));
    api.serve(updateRole, ({ caller, params, body, requestId }) =>
      changes.change({ caller, requestId }, params.role, body),
    );
    api.serve(setRoleStatus, ({ caller, params, body, requestId }) =>
      changes.setStatus({ caller, requestId }, params.role, body.status, body.version),
    );
    api.serve(previewRole, async ({ params, body }) => {
      const rolesByUid = new Map((await roles.list()).map((listedRole) => [listedRole.uid, listedRole]));
      const role = rolesByUid.get(params.role);
      if (!role) throw notFound('This role');
      return computeRoleEffects({
        role,
        change: body,
        holders: await listRoleHolders(tables, role.uid),
        roles: rolesByUid,
        locations: new Map((await locations.all()).map((row) => [row.uid, row])),
      });
    });
  },
};
