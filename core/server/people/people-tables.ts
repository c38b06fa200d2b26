import type { AccountTable, UserRoleTable } from '../access/access-tables.ts';

/** The tables of the schema `core` whose changes the change journal records. */
export interface PeopleTables {
  user_account: AccountTable;
  user_role: UserRoleTable;
}
