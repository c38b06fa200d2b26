import type { ColumnType, Generated, Selectable } from 'kysely';
import type { AccessFlag, LocationType, PersonStatus, UserType } from '#core';
import type { Preferences } from '#core/api';
import type { SiteTable } from './site-tables.ts';

export type AccountStatus = PersonStatus;

export interface AccountTable {
  uid: string;
  /** Normalised by `normaliseUsername`; unique. */
  username: string;
  name: string;
  user_type: UserType;
  status: AccountStatus;
  password_hash: string | null;
  preferences: ColumnType<Preferences, string | undefined, string>;
  /** uid of a master of the type USER_TYPE. */
  user_type_master: ColumnType<string | null, string | null | undefined, string | null>;
  /** uid of a master, as are the values of the next three columns. */
  section: string | null;
  department: string | null;
  division: string | null;
  business_unit: string | null;
  created_at: Date;
  invited_at: Date | null;
  activated_at: Date | null;
  version: Generated<number>;
}
export type AccountRow = Selectable<AccountTable>;

export interface RoleTable {
  uid: string;
  name: string;
  status: 'ACTIVE' | 'INACTIVE';
  flags: AccessFlag[];
  all_locations: boolean;
  created_at: Date;
  version: Generated<number>;
}

export interface LocationTable {
  uid: string;
  label: string;
  name: string;
  parent: string | null;
  root: string;
  location_type: LocationType;
  /** Orders siblings. A fraction places a location between two others. */
  position: number;
  version: Generated<number>;
}

export interface UserRoleTable {
  account: string;
  role: string;
  /**
   * Whether the role comes from a group of the identity provider. Each single sign-on replaces these roles. False once
   * an admin grants the role.
   */
  from_group: Generated<boolean>;
}

/** Tables of the schema `core` for accounts, roles, locations and sites. */
export interface AccessTables {
  user_account: AccountTable;
  role: RoleTable;
  role_location: { role: string; location: string };
  user_role: UserRoleTable;
  location: LocationTable;
  site: SiteTable;
}
