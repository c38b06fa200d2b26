import type { AccessTables } from '../access/access-tables.ts';

/** The tables of the schema `core` that changes of roles write. */
export type RoleTables = Pick<AccessTables, 'role' | 'role_location'>;
