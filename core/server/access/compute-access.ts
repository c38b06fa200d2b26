import { accessFlags, type AccessFlag, type AccessInfo } from '#core';

/** The access that a role grants. */
export interface RoleGrant {
  readonly name: string;
  readonly status: 'ACTIVE' | 'INACTIVE';
  readonly flags: readonly AccessFlag[];
  readonly allLocations: boolean;
  readonly locations: readonly string[];
}

/**
 * Returns the union of what the active roles grant. Inactive roles grant nothing; `deactivatedRoles` lists their names.
 * Flags are in the order of `accessFlags`; locations and names are sorted.
 */
export function computeAccess(roles: readonly RoleGrant[]): AccessInfo {
  const active = roles.filter(({ status }) => status === 'ACTIVE');
  const flags = new Set(active.flatMap((role) => role.flags));
  return {
    flags: accessFlags.filter((flag) => flags.has(flag)),
    locations: active.some(({ allLocations }) => allLocations)
      ? 'ALL'
      : [...new Set(active.flatMap((role) => role.locations))].sort(),
    deactivatedRoles: roles
      .filter(({ status }) => status === 'INACTIVE')
      .map(({ name }) => name)
      .sort(),
  };
}
