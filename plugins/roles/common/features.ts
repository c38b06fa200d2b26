import type { AccessFlag } from '#core';

/** Features that one checkbox of the role editor selects together. */
export interface FeatureGroup {
  readonly id: 'adminControls' | 'dashboards' | 'tools' | 'modules' | 'permits';
  readonly flags: readonly AccessFlag[];
}

/** Tabs of the role editor. Their messages are the titles of the specification. */
export const featureTabs = [
  {
    id: 'admin',
    groups: [{ id: 'adminControls', flags: ['userManagement', 'import', 'configure'] }],
  },
  {
    id: 'tools',
    groups: [
      // PID is a tool and a module. Both checkboxes change the same flag.
      { id: 'tools', flags: ['vrAccess', 'scanAccess', 'threeDimensionalAccess', 'pidAccess'] },
      { id: 'modules', flags: ['pidAccess'] },
      { id: 'permits', flags: ['permitAccess'] },
    ],
  },
] as const satisfies readonly { readonly id: string; readonly groups: readonly FeatureGroup[] }[];
export type FeatureTab = (typeof featureTabs)[number]['id'];

export const dashboardGroup: FeatureGroup = {
  id: 'dashboards',
  flags: ['tourDashboardAccess', 'permitDashboardAccess'],
};

/** Prefilled forms of new roles. */
export const roleTemplates = [
  { id: 'empty', flags: [] },
  { id: 'siteStaff', flags: ['vrAccess', 'scanAccess', 'threeDimensionalAccess', 'pidAccess', 'permitAccess'] },
  {
    id: 'permitAuthority',
    flags: ['tourDashboardAccess', 'permitDashboardAccess', 'vrAccess', 'scanAccess', 'permitAccess', 'pidAccess'],
  },
  { id: 'dataAdmin', flags: ['import', 'configure'] },
] as const satisfies readonly { readonly id: string; readonly flags: readonly AccessFlag[] }[];

/**
 * Proposes the ID of a role from its name: "Site staff" gives `site-staff`. Empty if the name has
 * no letter A to Z and no digit.
 */
export function proposeRoleId(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('-')
    .slice(0, 50)
    .replace(/-+$/, '');
}
