import type { UserType } from '#core';
import { coreRefusal } from '#core/api';
import { coversRoles } from '../access/compute-access.ts';
import type { Caller } from '../access/caller.ts';
import { isAdminType } from '../access/account.ts';
import type { Role } from '../access/roles.ts';
import { noAccess } from '../kernel/server-error.ts';

/**
 * Admins may grant everything.
 *
 * @throws `noAccess` (403) if the caller would grant more than they have
 */
export function assertCanGrant(caller: Caller, userType: UserType, roles: readonly Role[]): void {
  if (caller.isAdmin) return;
  if (isAdminType(userType)) throw noAccess(coreRefusal('core.refused.grantAdmin'));
  if (!coversRoles(caller.access, roles)) throw noAccess(coreRefusal('core.refused.grantMore'));
}
