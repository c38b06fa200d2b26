import type { ProviderId } from '#core';

export interface GroupRoleTable {
  uid: string;
  provider: ProviderId;
  /** The value in the provider's claim. */
  value: string;
  role: string;
}

/** The tables of the schema `core` whose changes the change journal records. */
export interface GroupRoleTables {
  group_role: GroupRoleTable;
}
