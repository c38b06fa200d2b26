import type { UserType } from '#core';
import { coreRefusal } from '#core/api';
import { isAdminType } from '../access/account.ts';
import type { Caller } from '../access/caller.ts';
import { assertGrantable, type Grants, type OwnAccess } from '../access/own-access.ts';
import { noAccess } from '../kernel/server-error.ts';

/**
 * Only admins manage admins. Others manage people who have no more access than they have.
 *
 * @throws `noAccess` (403)
 */
export function assertCanManage(
  ownAccess: OwnAccess & { readonly caller: Pick<Caller, 'isAdmin'> },
  userType: UserType,
  roles: Iterable<Grants>,
): void {
  if (ownAccess.caller.isAdmin) return;
  if (isAdminType(userType)) throw noAccess(coreRefusal('core.refused.grantAdmin'));
  assertGrantable(ownAccess, roles);
}
