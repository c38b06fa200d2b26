import { sql, type QueryExecutorProvider } from 'kysely';
import type { AccessFlag } from '#core';
import { coreRefusal } from '#core/api';
import { noAccess } from '../kernel/server-error.ts';
import type { Caller } from './caller.ts';
import type { LocationStore } from './location-store.ts';

/** The access that a role grants, in the form in which it is compared with a person's access. */
export interface Grants {
  readonly flags: readonly AccessFlag[];
  readonly allLocations: boolean;
  /** Uids of the allowed locations. Each also allows the locations below it. */
  readonly locations: readonly string[];
}

/** The access that a person can grant to others: their own, with the uids of all locations that they can access. */
export interface OwnAccess {
  readonly caller: Pick<Caller, 'access'>;
  readonly accessible: ReadonlySet<string>;
}

/** Must be called before the transaction begins, because the location store must not be read inside one. */
export async function loadOwnAccess<C extends Pick<Caller, 'access'>>(
  caller: C,
  locations: Pick<LocationStore, 'accessible'>,
): Promise<OwnAccess & { readonly caller: C }> {
  return { caller, accessible: new Set(await locations.accessible(caller)) };
}

/**
 * Whether a person's own access includes everything that a role allows. Access to a location includes the locations
 * below it, so it is enough to check the uids in `grants.locations`.
 */
export const covers = ({ caller: { access }, accessible }: OwnAccess, grants: Grants): boolean =>
  grants.flags.every((flag) => access.flags.includes(flag)) &&
  (access.locations === 'ALL' || (!grants.allLocations && grants.locations.every((uid) => accessible.has(uid))));

/**
 * Throws if `grants` exceed the caller's access. To change a role, check its grants both before and after the change.
 * Applies to admins too.
 *
 * @throws `noAccess` (403)
 */
export function assertCovers(ownAccess: OwnAccess, grants: Grants): void {
  if (!covers(ownAccess, grants)) throw noAccess(coreRefusal('core.refused.roleExceedsOwnAccess'));
}

/**
 * Throws if one of the roles exceeds the caller's access. `roles` are those that a change grants or removes. Applies to
 * admins too.
 *
 * @throws `noAccess` (403)
 */
export function assertGrantable(ownAccess: OwnAccess, roles: Iterable<Grants>): void {
  for (const grants of roles) if (!covers(ownAccess, grants)) throw noAccess(coreRefusal('core.refused.grantMore'));
}

/**
 * Loads the current grants of roles, in the transaction that changes them. Omits unknown roles.
 *
 * @returns the grants by uid of the role
 */
export async function loadGrants(
  transaction: QueryExecutorProvider,
  roles: readonly string[],
): Promise<ReadonlyMap<string, Grants>> {
  const { rows } = await sql<Grants & { uid: string }>`
    select uid, flags, all_locations as "allLocations",
      array(
        select location from core.role_location where role_location.role = granted.uid order by location
      ) as locations
    from core.role as granted where uid = any(${[...roles]}::text[])`.execute(transaction);
  return new Map(rows.map(({ uid, ...grants }) => [uid, grants]));
}
