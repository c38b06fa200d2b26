import { token, type LocationRow } from '#core';
import type { Caller } from './caller.ts';

/**
 * The location tree, cached in memory and invalidated by changes of any process. Lists of uids hold each location once
 * and are empty for an unknown uid. A caller can access the locations of their roles and everything below them.
 */
export interface LocationStore {
  /** All rows in the order of their positions. Root locations include their site records. */
  all(): Promise<readonly LocationRow[]>;
  find(uid: string): Promise<LocationRow | undefined>;
  /** The location and its ancestors, nearest first. */
  ancestors(uid: string): Promise<readonly string[]>;
  /** The location and its descendants, parents before children. */
  descendants(uid: string): Promise<readonly string[]>;
  /** The location with its ancestors and descendants. */
  related(uid: string): Promise<readonly string[]>;
  /** The uid of the site (root) of a location. */
  findSite(uid: string): Promise<string | undefined>;
  canAccess(caller: Caller, uid: string): Promise<boolean>;
  /** All locations that the caller can access, as `atLocation` needs them. */
  accessible(caller: Pick<Caller, 'access'>): Promise<readonly string[]>;
  accessibleDescendants(caller: Caller, uid: string): Promise<readonly string[]>;
  accessibleRelated(caller: Caller, uid: string): Promise<readonly string[]>;
  /** Returns the rows at locations that the caller can access, in the given order. */
  filterAccessible<T extends { readonly location: string }>(caller: Caller, rows: readonly T[]): Promise<readonly T[]>;
  /**
   * Inserts rows, and updates rows with a known uid, which keep their position. Other rows and site records stay. New
   * rows come after the existing ones.
   */
  upsert(rows: readonly LocationRow[]): Promise<void>;
}
export const LocationStore = token<LocationStore>('core.LocationStore');
