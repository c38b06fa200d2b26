import { sql, type QueryExecutorProvider } from 'kysely';
import { accessFlags, type AccessFlag } from '#core';
import { coreRefusal } from '#core/api';
import type { Caller } from '../access/caller.ts';
import type { LocationStore } from '../access/location-store.ts';
import { administratorRole } from '../auth/ensure-first-admin.ts';
import { conflict, noAccess } from '../kernel/server-error.ts';

/** What a role allows, as far as it is compared with a person's access. */
export interface Grants {
  readonly flags: readonly AccessFlag[];
  readonly allLocations: boolean;
  /** Uids of the roots of the allowed locations. */
  readonly locations: readonly string[];
}

/** What a person can pass on: their own access, with the uids of all locations. */
export interface OwnAccess {
  readonly caller: Pick<Caller, 'access'>;
  readonly accessible: ReadonlySet<string>;
}

/** Loads it before a transaction, in which the locations must not be read. */
export async function loadOwnAccess(caller: Caller, locations: LocationStore): Promise<OwnAccess> {
  return { caller, accessible: new Set(await locations.accessible(caller)) };
}

/** Whether a person's own access includes everything that a role allows. Locations include those below them. */
export const covers = ({ caller: { access }, accessible }: OwnAccess, grants: Grants): boolean =>
  grants.flags.every((flag) => access.flags.includes(flag)) &&
  (access.locations === 'ALL' || (!grants.allLocations && grants.locations.every((uid) => accessible.has(uid))));

/**
 * Nobody grants, changes or takes away more than their own access.
 *
 * @throws `noAccess` (403)
 */
export function assertCovers(own: OwnAccess, grants: Grants): void {
  if (!covers(own, grants)) throw noAccess(coreRefusal('core.refused.roleBeyond'));
}

/**
 * What roles allow at present, in the transaction that changes them. Unknown roles are left out.
 *
 * @returns the grants by uid of the role
 */
export async function loadGrants(
  transaction: QueryExecutorProvider,
  roles: readonly string[],
): Promise<ReadonlyMap<string, Grants>> {
  const { rows } = await sql<Grants & { uid: string }>`
    select uid, flags, all_locations as "allLocations",
      array(select location from core.role_location where role = role.uid order by location) as locations
    from core.role as role where uid = any(${[...roles]}::text[])`.execute(transaction);
  return new Map(rows.map(({ uid, ...grants }) => [uid, grants]));
}

/**
 * The built-in role is how an empty product is set up, and what remains if other roles are wrong.
 *
 * @throws `conflict` (409) if a changed role is the built-in one and does not allow everything any more
 */
export function assertBuiltInRole(rows: readonly Readonly<Record<string, unknown>>[]): void {
  const row = rows.find(({ uid }) => uid === administratorRole);
  if (!row) return;
  const flags = row['flags'] as readonly AccessFlag[];
  if (row['status'] === 'ACTIVE' && row['all_locations'] === true && accessFlags.every((flag) => flags.includes(flag)))
    return;
  throw conflict(coreRefusal('core.refused.roleBuiltIn', { name: String(row['name']) }));
}
