import { token, type LocationRow } from '#core';
import type { Caller } from './caller.ts';

/** The location tree, cached in memory and told of changes by other processes. */
export interface LocationStore {
  /** All rows, in the order of import; roots with the records of their sites. */
  all(): Promise<readonly LocationRow[]>;
  find(uid: string): Promise<LocationRow | undefined>;
  /** True where one of the caller's locations is the location or one of its ancestors. False for an unknown uid. */
  reaches(caller: Caller, uid: string): Promise<boolean>;
  /** Replaces rows by uid, keeps the others and the records of sites; `order` of new rows follows the existing ones. */
  upsert(rows: readonly LocationRow[]): Promise<void>;
}
export const LocationStore = token<LocationStore>('core.LocationStore');
