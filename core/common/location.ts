import type { SiteRecord } from './site-record.ts';

export const locationTypes = ['PRIMARY_LOCATION', 'PLATFORM_UNIT', 'LOC_LEVEL', 'LOC_GROUP'] as const;
export type LocationType = (typeof locationTypes)[number];

/** The types that the parent of a location may have. Only a PRIMARY_LOCATION, a site, has no parent. */
export const allowedParentTypes: Readonly<Record<LocationType, readonly LocationType[]>> = {
  PRIMARY_LOCATION: [],
  PLATFORM_UNIT: ['PRIMARY_LOCATION', 'LOC_GROUP'],
  LOC_LEVEL: ['PLATFORM_UNIT', 'LOC_GROUP'],
  LOC_GROUP: ['PRIMARY_LOCATION', 'PLATFORM_UNIT', 'LOC_LEVEL', 'LOC_GROUP'],
};

/**
 * One row of the flat list. `parent` is null for a root; `root` is the uid of the tree's root (its own uid for a root).
 */
export interface LocationRow {
  readonly uid: string;
  /** A second line below the name, such as an elevation. May be empty. */
  readonly label: string;
  readonly name: string;
  readonly parent: string | null;
  readonly root: string;
  readonly locationType: LocationType;
  /** Version of the location: 1 at first, increased by each change. Absent in rows that are not stored. */
  readonly version?: number;
  /** Only for a root that has a record. */
  readonly site?: SiteRecord;
}

export interface LocationNode extends LocationRow {
  readonly children: readonly LocationNode[];
}

/**
 * `imported` is the order of the list. `alphabetical` sorts by name, with Deck 2 before Deck 10; equal names keep the
 * order of the list.
 */
export type LocationOrder = 'imported' | 'alphabetical';
