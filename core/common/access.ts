/** What a role can grant. The list is closed: a plugin names the flags by which it guards, it adds none. */
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

/** How the features of a role are grouped when it is edited. */
export const roleGroups = {
  users: ['userManagement'],
  import: ['import'],
  configuration: ['configure'],
  dashboards: ['tourDashboardAccess', 'permitDashboardAccess'],
  tools: ['vrAccess', 'scanAccess', 'threeDimensionalAccess', 'pidAccess'],
  permits: ['permitAccess'],
} as const satisfies Readonly<Record<string, readonly AccessFlag[]>>;

/** What one person may do: the union of their active roles. `locations` are uids of roots of what they may see. */
export interface AccessInfo {
  readonly flags: readonly AccessFlag[];
  readonly locations: 'ALL' | readonly string[];
  /** Names of roles that were taken from the person by deactivating the role. */
  readonly deactivatedRoles: readonly string[];
}

export function hasAccess(access: AccessInfo, flag: AccessFlag | undefined): boolean {
  return flag === undefined || access.flags.includes(flag);
}
