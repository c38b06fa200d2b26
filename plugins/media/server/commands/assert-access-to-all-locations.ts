import { noAccess, type Caller } from '#core/server';

/** @throws `noAccess` (403) if the person can access some locations alone, for what everybody sees */
export function assertAccessToAllLocations({ access }: Pick<Caller, 'access'>): void {
  if (access.locations !== 'ALL') throw noAccess();
}
