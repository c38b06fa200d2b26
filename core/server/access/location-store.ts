import { token, type LocationRow } from '#core';
import type { Caller } from './caller.ts';

/**
 * The location tree, cached in memory and told of changes by other processes. Lists of uids hold each location once and
 * are empty for an unknown uid. A caller can access what their roles name and everything below it.
 */
export interface LocationStore {
  /** All rows, in the order of import; roots with the records of their sites. */
  all(): Promise<readonly LocationRow[]>;
  find(uid: string): Promise<LocationRow | undefined>;
  /** The location itself and those above it, nearest first. */
  ancestors(uid: string): Promise<readonly string[]>;
  /** The location itself and those below it, parents before children. */
  descendants(uid: string): Promise<readonly string[]>;
  /** `ancestors` and `descendants`. */
  related(uid: string): Promise<readonly string[]>;
  /** Uid of the site (root) of a location. */
  findSite(uid: string): Promise<string | undefined>;
  canAccess(caller: Caller, uid: string): Promise<boolean>;
  /** All that the caller can access; for `atLocation`. */
  accessible(caller: Caller): Promise<readonly string[]>;
  accessibleDescendants(caller: Caller, uid: string): Promise<readonly string[]>;
  accessibleRelated(caller: Caller, uid: string): Promise<readonly string[]>;
  /** The rows at locations that the caller can access, in their order. */
  filterAccessible<T extends { readonly location: string }>(caller: Caller, rows: readonly T[]): Promise<readonly T[]>;
  /** Replaces rows by uid, keeps the others and the records of sites; `order` of new rows follows the existing ones. */
  upsert(rows: readonly LocationRow[]): Promise<void>;
}
export const LocationStore = token<LocationStore>('core.LocationStore');
