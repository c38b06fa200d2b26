import type { AccountTable } from '../access/access-tables.ts';

/** The tables of the schema `core` whose changes by admins the journal has. */
export interface PeopleTables {
  user_account: AccountTable;
  user_role: { account: string; role: string };
}
