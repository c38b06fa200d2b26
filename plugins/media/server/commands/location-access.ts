import { noAccess, notFound, type Caller, type ServerContext } from '#core/server';
import { assertAccessToAllLocations } from './assert-access-to-all-locations.ts';

type LocationSource = Pick<ServerContext, 'locations'>;

/** Returns whether a person can change the contents of a location, or contents for everybody (null). */
export type AccessCheck = (location: string | null) => boolean;

/** Loads the caller's locations, so it must be called outside of transactions. */
export async function createAccessCheck({ locations }: LocationSource, caller: Caller): Promise<AccessCheck> {
  const accessibleLocations = new Set(await locations.accessible(caller));
  return (location) => (location === null ? caller.access.locations === 'ALL' : accessibleLocations.has(location));
}

/**
 * @throws `notFound` (404) for an unknown location; `noAccess` (403) if the caller cannot access it, or cannot access
 *   all locations for contents for everybody (null)
 */
export async function assertLocationAccess(
  { locations }: LocationSource,
  caller: Caller,
  location: string | null,
): Promise<void> {
  if (location === null) {
    assertAccessToAllLocations(caller);
    return;
  }
  if (!(await locations.find(location))) throw notFound('This location');
  if (!(await locations.canAccess(caller, location))) throw noAccess();
}
