/** The permissions that roles grant. The list is closed: plugins guard features with these flags and add no flag. */
export const accessFlags = [
  'userManagement',
  'import',
  'configure',
  'tourDashboardAccess',
  'permitDashboardAccess',
  'vrAccess',
  'scanAccess',
  'threeDimensionalAccess',
  'permitAccess',
  'pidAccess',
] as const;
export type AccessFlag = (typeof accessFlags)[number];

export const userTypes = ['TENANT_USER', 'TENANT_ADMIN'] as const;
export type UserType = (typeof userTypes)[number];

/** One person's access, the union of their active roles. */
export interface AccessInfo {
  readonly flags: readonly AccessFlag[];
  /** Uids of the roots of the accessible trees. */
  readonly locations: 'ALL' | readonly string[];
  /** Names of the person's deactivated roles. */
  readonly deactivatedRoles: readonly string[];
}

export function hasAccess(access: AccessInfo, flag: AccessFlag | undefined): boolean {
  return flag === undefined || access.flags.includes(flag);
}
