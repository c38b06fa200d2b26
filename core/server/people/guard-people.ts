import { sql, type Transaction } from 'kysely';
import { coreRefusal } from '#core/api';
import type { AccountTable } from '../access/access-tables.ts';
import { isAdminType } from '../access/account.ts';
import { computeAccess, coversRoles, type RoleGrant } from '../access/compute-access.ts';
import { assertAdminRemains } from '../access/last-admin.ts';
import type { ChangedRows } from '../changes/content-changes.ts';
import { conflict, noAccess } from '../kernel/server-error.ts';
import type { PeopleTables } from './people-tables.ts';

type People = ChangedRows<PeopleTables>;
type Account = Pick<AccountTable, 'uid' | 'user_type' | 'status'>;
type Grant = PeopleTables['user_role'];

interface GrantedRole extends RoleGrant {
  readonly uid: string;
}

const listAccounts = (rows: People): readonly Account[] => (rows.user_account ?? []) as readonly Account[];
const listGrants = (rows: People): readonly Grant[] => (rows.user_role ?? []) as readonly Grant[];

/**
 * The rules of changes of people, of imports and of undoing: nobody deactivates the own account, manages or gives more
 * than the own access, or takes the last admin away.
 *
 * @throws `conflict` (409); `noAccess` (403)
 */
export async function guardPeople(
  transaction: Transaction<PeopleTables>,
  changed: People,
  former: People,
  author: { readonly uid: string },
): Promise<void> {
  const before = new Map(listAccounts(former).map((account) => [account.uid, account]));
  // A deleted row is in both lists.
  const isReduced = listAccounts(changed).some((after) => {
    const account = before.get(after.uid);
    return (
      account !== undefined &&
      ((account.status === 'ACTIVE' && after.status !== 'ACTIVE') ||
        (isAdminType(account.user_type) && !isAdminType(after.user_type)) ||
        account === after)
    );
  });
  const own = listAccounts(changed).find(({ uid }) => uid === author.uid);
  if (own && before.get(author.uid)?.status === 'ACTIVE' && own.status !== 'ACTIVE')
    throw conflict(coreRefusal('core.refused.ownAccount'));
  await assertManageable(transaction, changed, former, author.uid);
  if (isReduced || listGrants(former).length > 0) await assertAdminRemains(transaction);
}

/** The author's access is that before the change, so that nobody widens it and uses it at once. */
async function assertManageable(
  transaction: Transaction<PeopleTables>,
  changed: People,
  former: People,
  author: string,
): Promise<void> {
  const accounts = [...listAccounts(changed), ...listAccounts(former)];
  const grants = [...listGrants(changed), ...listGrants(former)];
  const touched = [...new Set([...accounts.map(({ uid }) => uid), ...grants.map(({ account }) => account)])];
  const { rows: present } = await sql<Account>`
    select uid, user_type, status from core.user_account where uid = any(${[...touched, author]}::text[])`.execute(
    transaction,
  );
  const authorType = (
    listAccounts(former).find(({ uid }) => uid === author) ?? present.find(({ uid }) => uid === author)
  )?.user_type;
  if (authorType !== undefined && isAdminType(authorType)) return;
  const managed = [...accounts, ...present.filter(({ uid }) => touched.includes(uid))];
  if (managed.some(({ user_type }) => isAdminType(user_type))) throw noAccess(coreRefusal('core.refused.grantAdmin'));
  const { rows: held } = await sql<Grant>`
    select account, role from core.user_role where account = any(${[...touched, author]}::text[])`.execute(transaction);
  const roles = await loadRoles(transaction, [...new Set([...held, ...grants].map(({ role }) => role))]);
  const pick = (uids: ReadonlySet<string>): readonly GrantedRole[] => roles.filter(({ uid }) => uids.has(uid));
  const added = new Set(
    listGrants(changed).flatMap((grant) =>
      grant.account === author && !listGrants(former).includes(grant) ? [grant.role] : [],
    ),
  );
  const ownRoles = new Set([
    ...held.flatMap(({ account, role }) => (account === author && !added.has(role) ? [role] : [])),
    ...listGrants(former).flatMap(({ account, role }) => (account === author ? [role] : [])),
  ]);
  const managedRoles = new Set(
    [...held.filter(({ account }) => touched.includes(account)), ...grants].map(({ role }) => role),
  );
  if (!coversRoles(computeAccess(pick(ownRoles)), pick(managedRoles)))
    throw noAccess(coreRefusal('core.refused.grantMore'));
}

async function loadRoles(
  transaction: Transaction<PeopleTables>,
  uids: readonly string[],
): Promise<readonly GrantedRole[]> {
  const { rows } = await sql<GrantedRole>`
    select role.uid, role.name, role.status, role.flags, role.all_locations as "allLocations",
      array(select location from core.role_location where role_location.role = role.uid) as locations
    from core.role where role.uid = any(${[...uids]}::text[])`.execute(transaction);
  return rows;
}
