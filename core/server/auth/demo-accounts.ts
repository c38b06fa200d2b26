import { accessFlags, type AccessFlag, type UserType } from '#core';
import { administratorRole } from './ensure-first-admin.ts';

export interface DemoAccount {
  readonly username: string;
  readonly password: string;
  readonly name: string;
  readonly userType: UserType;
  readonly status: 'ACTIVE' | 'INACTIVE';
  /** uids of `demoRoles`. */
  readonly roles: readonly string[];
  /** One-line description for people who try the demo. */
  readonly description: string;
}

export interface DemoRole {
  readonly uid: string;
  readonly name: string;
  readonly status: 'ACTIVE' | 'INACTIVE';
  readonly flags: readonly AccessFlag[];
  /** All locations (`everywhere`), or the first `count` locations of a type. */
  readonly locations:
    | 'everywhere'
    | { readonly locationType: 'PRIMARY_LOCATION' | 'PLATFORM_UNIT'; readonly count: number };
}

const password = 'walkdown-demo';

export const demoRoles: readonly DemoRole[] = [
  { uid: administratorRole, name: 'Administrator', status: 'ACTIVE', flags: accessFlags, locations: 'everywhere' },
  {
    uid: 'permit-authority',
    name: 'Permit authority',
    status: 'ACTIVE',
    flags: ['permitAccess', 'permitDashboardAccess', 'tourDashboardAccess', 'vrAccess', 'scanAccess', 'pidAccess'],
    locations: 'everywhere',
  },
  {
    uid: 'site-staff',
    name: 'Site staff',
    status: 'ACTIVE',
    flags: ['vrAccess', 'scanAccess', 'threeDimensionalAccess', 'pidAccess', 'permitAccess'],
    locations: { locationType: 'PRIMARY_LOCATION', count: 1 },
  },
  {
    uid: 'visitor',
    name: 'Visitor',
    status: 'ACTIVE',
    flags: ['vrAccess'],
    locations: { locationType: 'PLATFORM_UNIT', count: 1 },
  },
  {
    uid: 'turnaround',
    name: 'Turnaround crew',
    status: 'INACTIVE',
    flags: ['scanAccess', 'threeDimensionalAccess'],
    locations: 'everywhere',
  },
];

/** All demo accounts share one password, because their data is fictitious. */
export const demoAccounts: readonly DemoAccount[] = [
  {
    username: 'admin@walkdown.example',
    password,
    name: 'Ingrid Halvorsen',
    userType: 'TENANT_ADMIN',
    status: 'ACTIVE',
    roles: [administratorRole],
    description: 'admin: sees and may do everything',
  },
  {
    username: 'permits@walkdown.example',
    password,
    name: 'Malik Osei',
    userType: 'TENANT_USER',
    status: 'ACTIVE',
    roles: ['permit-authority'],
    description: 'permit authority, all sites',
  },
  {
    username: 'staff@walkdown.example',
    password,
    name: 'Jonas Lindqvist',
    userType: 'TENANT_USER',
    status: 'ACTIVE',
    roles: ['site-staff'],
    description: 'site staff of one site',
  },
  {
    username: 'visitor@walkdown.example',
    password,
    name: 'Claire Moreau',
    userType: 'TENANT_USER',
    status: 'ACTIVE',
    roles: ['visitor', 'turnaround'],
    description: 'visitor: the panorama of one unit; one role deactivated',
  },
  {
    username: 'former@walkdown.example',
    password,
    name: 'Pieter de Vries',
    userType: 'TENANT_USER',
    status: 'INACTIVE',
    roles: ['site-staff'],
    description: 'account deactivated',
  },
];
