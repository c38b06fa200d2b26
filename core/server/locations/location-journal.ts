import { token } from '#core';
import type { AccessTables } from '../access/access-tables.ts';
import type { ContentChanges } from '../changes/content-changes.ts';

/** The tables of core that changes of locations write. */
export type LocationTables = Pick<AccessTables, 'location' | 'site' | 'role_location'>;

/** The journal of locations, for a plugin whose rows are changed with them. */
export interface LocationJournal {
  /** Changes of the tables in a plugin's schema, which it registers, and of core's. */
  of<Tables>(schema: string): ContentChanges<Tables & LocationTables>;
}
export const LocationJournal = token<LocationJournal>('core.LocationJournal');
