import type { RawBuilder } from 'kysely';
import { token, type LocationType, type SiteRecord } from '#core';
import type { AccessTables } from '../access/access-tables.ts';
import type { ContentChanges, RecordedTransaction } from '../changes/content-changes.ts';

/** The tables of core that changes of locations write. */
export type LocationTables = Pick<AccessTables, 'location' | 'site' | 'role_location'>;

/** A location as an import gives it. */
export interface LocationInput {
  readonly uid: string;
  readonly name: string;
  readonly label: string;
  readonly locationType: LocationType;
  /** In any case of its letters. */
  readonly parent: string | null;
  /** Orders siblings. Null keeps the position, or is the last one. */
  readonly position: number | null;
  /** Null keeps the record. New sites get the default one. */
  readonly site: SiteRecord | null;
}

/** The journal of locations, for a plugin whose rows are changed with them. */
export interface LocationJournal {
  /** Changes of the tables in a plugin's schema, which it registers, and of core's. */
  of<Tables>(schema: string): ContentChanges<Tables & LocationTables>;
  /**
   * Creates, changes and deletes locations in the transaction of a change, with a constant number of statements.
   *
   * @throws `conflict` (409) if the tree cannot have the result, if a code is taken, or if something belongs to a
   *   removed location; `invalidRequest` (400) on an invalid site record
   */
  save(
    recorded: Pick<RecordedTransaction<LocationTables>, 'tables' | 'record'>,
    rows: { readonly saved: readonly LocationInput[]; readonly removed: readonly string[] },
  ): Promise<void>;
  /** A query with the column `location` of all locations to which something belongs. */
  selectUsed(): RawBuilder<unknown>;
}
export const LocationJournal = token<LocationJournal>('core.LocationJournal');
