import type { AccountTable, UserRoleTable } from '../access/access-tables.ts';

/** The tables of the schema `core` whose changes by admins the journal has. */
export interface PeopleTables {
  user_account: AccountTable;
  user_role: UserRoleTable;
}
