import type { AccessFlag } from '#core';
import type { PersonChoices } from '#core/api';

type Role = PersonChoices['roles'][number];

/** What a person can no longer do or see. */
export interface LostAccess {
  readonly flags: readonly AccessFlag[];
  /** Uids of locations, or all of them. */
  readonly locations: 'ALL' | readonly string[];
}

/**
 * What other roles take away. Inactive roles grant nothing. `pathTo` lists the uids of a location and of those above
 * it, whose access includes it.
 */
export function findLostAccess(
  former: readonly Role[],
  next: readonly Role[],
  pathTo: (location: string) => readonly string[],
): LostAccess {
  const before = former.filter(({ status }) => status === 'ACTIVE');
  const after = next.filter(({ status }) => status === 'ACTIVE');
  const flags = new Set(after.flatMap((role) => role.flags));
  const places = new Set(after.flatMap((role) => role.locations));
  const keepsAll = after.some(({ allLocations }) => allLocations);
  const lostPlaces = [...new Set(before.flatMap((role) => role.locations))].filter(
    (uid) => !places.has(uid) && !pathTo(uid).some((above) => places.has(above)),
  );
  return {
    flags: [...new Set(before.flatMap((role) => role.flags))].filter((flag) => !flags.has(flag)),
    locations: keepsAll ? [] : before.some(({ allLocations }) => allLocations) ? 'ALL' : lostPlaces,
  };
}
