import type { RoleReply } from '#core/api';
import type { Role } from '../access/roles.ts';
import { administratorRole } from '../auth/ensure-first-admin.ts';

export const toRoleReply = ({ createdAt, flags, locations, ...role }: Role): RoleReply => ({
  ...role,
  flags: [...flags],
  locations: [...locations],
  builtIn: role.uid === administratorRole,
  createdAt: createdAt.toISOString(),
});
