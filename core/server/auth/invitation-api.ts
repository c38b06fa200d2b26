import { userTypes, type UserType } from '#core';
import { inviteUser, listUserTypes } from '#core/api';
import type { LocationStore } from '../access/location-store.ts';
import { assertGrantable, loadOwnAccess } from '../access/own-access.ts';
import type { Roles } from '../access/roles.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Api } from '../kernel/server-plugin.ts';
import type { Accounts } from './accounts.ts';
import { assertCanManage } from './assert-can-manage.ts';
import { assertUsernameIsMailAddress } from './assert-username-is-mail-address.ts';

/** Endpoints for invitations and user types. */
export function serveInvitations(
  api: Api,
  {
    accounts,
    roles,
    locations,
    audit,
  }: {
    readonly accounts: Accounts;
    readonly roles: Roles;
    readonly locations: LocationStore;
    readonly audit: AuditLog;
  },
): void {
  api.serve(inviteUser, async ({ body, caller, requestId }) => {
    assertUsernameIsMailAddress(body.username);
    const rolesByUid = new Map((await roles.list()).map((role) => [role.uid, role]));
    const ownAccess = await loadOwnAccess(caller, locations);
    const assertInvitable = (account: { readonly userType: UserType; readonly roles: readonly string[] }): void => {
      const grantedRoles = account.roles.flatMap((uid) => rolesByUid.get(uid) ?? []);
      assertCanManage(ownAccess, account.userType, grantedRoles);
      assertGrantable(ownAccess, grantedRoles);
    };
    assertInvitable(body);
    const account = await accounts.invite(body, {
      assertReplaceable: assertInvitable,
      onInvited: (transaction, { uid, userType, roles: roleUids }) =>
        audit.record(
          {
            actor: caller.uid,
            action: 'account.invited',
            subject: uid,
            details: { userType, roles: roleUids },
            request: requestId,
          },
          transaction,
        ),
    });
    return { uid: account.uid, username: account.username };
  });

  api.serve(listUserTypes, () => [...userTypes]);
}
