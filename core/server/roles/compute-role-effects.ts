import { sql, type Kysely } from 'kysely';
import { accessFlags, type AccessInfo, type LocationRow, type RoleStatus } from '#core';
import type { RoleEffects } from '#core/api';
import { computeAccess } from '../access/compute-access.ts';
import type { Role } from '../access/roles.ts';
import type { Grants } from '../access/own-access.ts';

/** People with the role who have the same other roles. */
export interface RoleHolders {
  /** Uids of the other roles, active or not. */
  readonly otherRoles: readonly string[];
  readonly people: number;
}

/** Groups the people with a role by their other roles. Omits deactivated accounts. */
export async function listRoleHolders(database: Kysely<unknown>, role: string): Promise<readonly RoleHolders[]> {
  const { rows } = await sql<RoleHolders>`
    select holder.roles as "otherRoles", count(*)::integer as people
    from (
      select array_remove(array_agg(other.role order by other.role), null) as roles
      from core.user_role granted
      join core.user_account account on account.uid = granted.account and account.status <> 'INACTIVE'
      left join core.user_role other on other.account = granted.account and other.role <> granted.role
      where granted.role = ${role}
      group by granted.account
    ) holder
    group by holder.roles`.execute(database);
  return rows;
}

/**
 * Compares the access of the people with a role before and after a change of the role. The server computes access in
 * the same way.
 */
export function computeRoleEffects({
  role,
  change,
  holders,
  roles,
  locations,
}: {
  readonly role: Role;
  readonly change: Grants & { readonly status: RoleStatus };
  readonly holders: readonly RoleHolders[];
  /** All roles, by uid. */
  readonly roles: ReadonlyMap<string, Role>;
  /** All locations, by uid. */
  readonly locations: ReadonlyMap<string, Pick<LocationRow, 'parent'>>;
}): RoleEffects {
  const losing = new Map<string, number>();
  const gaining = new Map<string, number>();
  const addPeople = (counts: Map<string, number>, key: string, people: number): void => {
    counts.set(key, (counts.get(key) ?? 0) + people);
  };
  const effects = { people: 0, losing: 0, withoutFeature: 0, locations: { losing: 0, gaining: 0 } };
  for (const { otherRoles, people } of holders) {
    const remainingRoles = otherRoles.flatMap((uid) => roles.get(uid) ?? []);
    const accessBefore = computeAccess([...remainingRoles, role]);
    const accessAfter = computeAccess([...remainingRoles, { ...change, name: role.name }]);
    const lostFlags = accessBefore.flags.filter((flag) => !accessAfter.flags.includes(flag));
    for (const flag of lostFlags) addPeople(losing, flag, people);
    for (const flag of accessAfter.flags.filter((afterFlag) => !accessBefore.flags.includes(afterFlag)))
      addPeople(gaining, flag, people);
    const losesLocations = !includesLocations(accessAfter.locations, accessBefore.locations, locations);
    effects.people += people;
    if (lostFlags.length > 0 || losesLocations) effects.losing += people;
    if (accessBefore.flags.length > 0 && accessAfter.flags.length === 0) effects.withoutFeature += people;
    if (losesLocations) effects.locations.losing += people;
    if (!includesLocations(accessBefore.locations, accessAfter.locations, locations))
      effects.locations.gaining += people;
  }
  return {
    ...effects,
    flags: accessFlags.flatMap((flag) => {
      const counts = { losing: losing.get(flag) ?? 0, gaining: gaining.get(flag) ?? 0 };
      return counts.losing + counts.gaining === 0 ? [] : [{ flag, ...counts }];
    }),
  };
}

/** Whether every location of `otherRoots` is one of `roots` or below one. */
function includesLocations(
  roots: AccessInfo['locations'],
  otherRoots: AccessInfo['locations'],
  locations: ReadonlyMap<string, Pick<LocationRow, 'parent'>>,
): boolean {
  if (roots === 'ALL') return true;
  if (otherRoots === 'ALL') return false;
  const includedUids = new Set(roots);
  return otherRoots.every((uid) => {
    const visitedUids = new Set<string>();
    for (let ancestor: string | null | undefined = uid; ancestor; ancestor = locations.get(ancestor)?.parent) {
      if (includedUids.has(ancestor)) return true;
      if (visitedUids.has(ancestor)) return false;
      visitedUids.add(ancestor);
    }
    return false;
  });
}
