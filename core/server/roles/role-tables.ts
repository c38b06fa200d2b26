import type { AccessTables } from '../access/access-tables.ts';

/** The tables of the schema `core` whose changes the roles' journal records. */
export type RoleTables = Pick<AccessTables, 'role' | 'role_location'>;
