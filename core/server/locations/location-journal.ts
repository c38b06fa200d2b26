import type { RawBuilder } from 'kysely';
import { token, type LocationType, type SiteRecord } from '#core';
import type { AccessTables } from '../access/access-tables.ts';
import type { ContentChanges, RecordedTransaction } from '../changes/content-changes.ts';

/** The tables of the schema `core` that changes of locations write. */
export type LocationTables = Pick<AccessTables, 'location' | 'site' | 'role_location'>;

/** A location as an import describes it. */
export interface LocationInput {
  readonly uid: string;
  readonly name: string;
  readonly label: string;
  readonly locationType: LocationType;
  /** The uid of the parent, ignoring case. */
  readonly parent: string | null;
  /** Orders siblings. Null keeps the position. A new location without a position comes last. */
  readonly position: number | null;
  /** Null keeps the record. New sites get the default record. */
  readonly site: SiteRecord | null;
}

/** The change journal of locations, for a plugin that changes its own rows together with locations. */
export interface LocationJournal {
  /** Changes of the tables that a plugin registers for its schema, and of core's tables. */
  of<Tables>(schema: string): ContentChanges<Tables & LocationTables>;
  /**
   * Creates, changes and deletes locations in the transaction of a change, with a constant number of statements.
   *
   * @throws `conflict` (409) if the resulting tree is invalid, if a code is taken, or if a removed location has
   *   contents; `invalidRequest` (400) on an invalid site record
   */
  save(
    recorded: Pick<RecordedTransaction<LocationTables>, 'tables' | 'lockAndRecord'>,
    rows: { readonly saved: readonly LocationInput[]; readonly removed: readonly string[] },
  ): Promise<void>;
  /** Builds a query that selects the locations with contents, in the column `location`. */
  selectUsedLocations(): RawBuilder<unknown>;
}
export const LocationJournal = token<LocationJournal>('core.LocationJournal');
