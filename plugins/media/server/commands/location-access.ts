import { noAccess, notFound, type Caller, type ServerContext } from '#core/server';
import { assertWholeProduct } from './assert-whole-product.ts';

type LocationSource = Pick<ServerContext, 'locations'>;

/** Whether a person may change what belongs to a location, or to everybody (null). */
export type AccessCheck = (location: string | null) => boolean;

/** Call it outside of transactions. */
export async function createAccessCheck({ locations }: LocationSource, caller: Caller): Promise<AccessCheck> {
  const accessibleLocations = new Set(await locations.accessible(caller));
  return (location) => (location === null ? caller.access.locations === 'ALL' : accessibleLocations.has(location));
}

/**
 * @throws `notFound` (404) for an unknown location; `noAccess` (403) for one without access, and for everybody (null)
 *   without access to all
 */
export async function assertLocationAccess(
  { locations }: LocationSource,
  caller: Caller,
  location: string | null,
): Promise<void> {
  if (location === null) {
    assertWholeProduct(caller);
    return;
  }
  if (!(await locations.find(location))) throw notFound('This location');
  if (!(await locations.canAccess(caller, location))) throw noAccess();
}
