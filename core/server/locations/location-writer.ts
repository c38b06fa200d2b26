import type { RawBuilder } from 'kysely';
import { token, type LocationType, type SiteRecord } from '#core';
import type { AccessTables } from '../access/access-tables.ts';
import type { ContentChanges, RecordedTransaction } from '../changes/content-changes.ts';

/** The tables of the schema `core` that a change of locations can write to. */
export type LocationTables = Pick<AccessTables, 'location' | 'site' | 'role_location'>;

/** A location as an import describes it. */
export interface LocationInput {
  readonly uid: string;
  /** The name in lists and headings. */
  readonly name: string;
  /** A second line under the name, such as an elevation. May be empty. */
  readonly label: string;
  readonly locationType: LocationType;
  /** The uid of the parent, ignoring case. */
  readonly parent: string | null;
  /** Orders siblings. Null keeps the position. A new location without a position comes last. */
  readonly position: number | null;
  /** Null keeps the record. New sites get the default record. */
  readonly site: SiteRecord | null;
}

/** Writes locations, for a plugin that changes its own rows and locations in one change. */
export interface LocationWriter {
  /**
   * Returns the service that applies and undoes changes. They may write to the tables of core, and to those that the
   * plugin registers for its schema.
   */
  contentChangesOf<Tables>(schema: string): ContentChanges<Tables & LocationTables>;
  /**
   * Creates, changes and deletes locations in the transaction of a change. The number of statements is constant.
   *
   * @throws `conflict` (409) if the resulting tree is invalid, if a uid differs from an existing one only in case,
   *   or if a removed location has contents; `invalidRequest` (400) on an invalid site record
   */
  save(
    recordedTransaction: Pick<RecordedTransaction<LocationTables>, 'tables' | 'lockAndRecord'>,
    rows: { readonly saved: readonly LocationInput[]; readonly removed: readonly string[] },
  ): Promise<void>;
  /** Builds a query that selects the locations with contents, in the column `location`. */
  selectLocationsWithContents(): RawBuilder<unknown>;
}
export const LocationWriter = token<LocationWriter>('core.LocationWriter');
