import { hasAccess, listSubjectFlags, type AccessSubject } from '#core';
import type { AccessExplanation } from '#core/api';
import type { AccountRow } from '../access/access-tables.ts';
import { isAdminType } from '../access/account.ts';
import type { Caller } from '../access/caller.ts';
import { computeAccess, type RoleGrant } from '../access/compute-access.ts';
import type { LocationStore } from '../access/location-store.ts';
import type { Role } from '../access/roles.ts';

type ExplainedAccount = Pick<AccountRow, 'uid' | 'name' | 'username' | 'user_type' | 'status'>;

/** A question about the access of a person. */
export interface AccessQuestion {
  readonly account: ExplainedAccount;
  /** The person's roles, active or not. */
  readonly roles: readonly Role[];
  readonly feature?: AccessSubject | undefined;
  /** uid of a location. */
  readonly location?: string | undefined;
}

/** Explains access with the same functions that guard the endpoints. */
export class AccessExplainer {
  readonly #locations: LocationStore;

  constructor(locations: LocationStore) {
    this.#locations = locations;
  }

  async explain({ account, roles, feature, location }: AccessQuestion): Promise<AccessExplanation> {
    const check = async (grants: readonly RoleGrant[]) => {
      const caller = toCaller(account, grants);
      return {
        feature: feature === undefined ? null : canUse(caller, feature),
        location: location === undefined ? null : await this.#locations.canAccess(caller, location),
      };
    };
    const combined = await check(roles);
    const isActive = account.status === 'ACTIVE';
    const ancestorUids = location === undefined ? [] : await this.#locations.ancestors(location);
    return {
      person: {
        uid: account.uid,
        name: account.name,
        username: account.username,
        userType: account.user_type,
        status: account.status,
      },
      granted: isActive && combined.feature !== false && combined.location !== false,
      account: isActive,
      ...combined,
      roles: await Promise.all(
        roles.map(async (role) => ({
          uid: role.uid,
          name: role.name,
          active: role.status === 'ACTIVE',
          ...(await check([{ ...role, status: 'ACTIVE' }])),
          through: role.allLocations ? null : (ancestorUids.find((uid) => role.locations.includes(uid)) ?? null),
        })),
      ),
    };
  }
}

function toCaller(account: ExplainedAccount, roles: readonly RoleGrant[]): Caller {
  return {
    uid: account.uid,
    username: account.username,
    userType: account.user_type,
    isAdmin: isAdminType(account.user_type),
    access: computeAccess(roles),
    session: '',
  };
}

function canUse({ access }: Caller, subject: AccessSubject): boolean {
  const flags = listSubjectFlags(subject);
  return flags.length === 0 || flags.some((flag) => hasAccess(access, flag));
}
