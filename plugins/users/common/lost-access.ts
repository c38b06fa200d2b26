import type { AccessFlag } from '#core';
import type { PersonChoices } from '#core/api';

type Role = PersonChoices['roles'][number];

/** Access that a person loses. */
export interface LostAccess {
  readonly flags: readonly AccessFlag[];
  /** Uids of locations. `ALL` if the person had access to all locations. */
  readonly locations: 'ALL' | readonly string[];
}

/**
 * Finds the access that is lost if `next` replaces `formerRoles`. Inactive roles grant nothing.
 * `pathTo` returns the uids of a location and its ancestors. Access to an ancestor includes the location.
 */
export function findLostAccess(
  formerRoles: readonly Role[],
  nextRoles: readonly Role[],
  pathTo: (location: string) => readonly string[],
): LostAccess {
  const formerActive = formerRoles.filter(({ status }) => status === 'ACTIVE');
  const nextActive = nextRoles.filter(({ status }) => status === 'ACTIVE');
  const flags = new Set(nextActive.flatMap((role) => role.flags));
  const nextLocations = new Set(nextActive.flatMap((role) => role.locations));
  const keepsAll = nextActive.some(({ allLocations }) => allLocations);
  const lostLocations = [...new Set(formerActive.flatMap((role) => role.locations))].filter(
    (uid) => !nextLocations.has(uid) && !pathTo(uid).some((ancestor) => nextLocations.has(ancestor)),
  );
  return {
    flags: [...new Set(formerActive.flatMap((role) => role.flags))].filter((flag) => !flags.has(flag)),
    locations: keepsAll ? [] : formerActive.some(({ allLocations }) => allLocations) ? 'ALL' : lostLocations,
  };
}
