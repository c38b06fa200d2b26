import { sql, type Transaction } from 'kysely';
import { coreRefusal } from '#core/api';
import type { AccountTable } from '../access/access-tables.ts';
import { isAdminType } from '../access/account.ts';
import { assertAdminRemains } from '../access/last-admin.ts';
import { assertGrantable, loadGrants, type OwnAccess } from '../access/own-access.ts';
import type { ChangedRows, GuardedChange } from '../changes/content-changes.ts';
import { conflict, noAccess } from '../kernel/server-error.ts';
import type { PeopleTables } from './people-tables.ts';

type People = ChangedRows<PeopleTables>;
type Account = Pick<AccountTable, 'uid' | 'user_type' | 'status'>;
type Grant = Pick<PeopleTables['user_role'], 'account' | 'role'>;

const listAccounts = (rows: People): readonly Account[] => (rows.user_account ?? []) as readonly Account[];
const listGrants = (rows: People): readonly Grant[] => (rows.user_role ?? []) as readonly Grant[];

/**
 * Enforces the rules for changes of people, also by imports and undo. Nobody deactivates their own account, manages
 * people with more access or grants more than their own access, or removes the last admin.
 *
 * @throws `conflict` (409); `noAccess` (403)
 */
export async function guardPeople({
  transaction,
  changed,
  former,
  ...ownAccess
}: GuardedChange<PeopleTables>): Promise<void> {
  const author = ownAccess.caller.uid;
  const accountsBefore = new Map(listAccounts(former).map((account) => [account.uid, account]));
  // A deleted row is the same object in both lists.
  const mayLoseAdmin = listAccounts(changed).some((after) => {
    const account = accountsBefore.get(after.uid);
    return (
      account !== undefined &&
      ((account.status === 'ACTIVE' && after.status !== 'ACTIVE') ||
        (isAdminType(account.user_type) && !isAdminType(after.user_type)) ||
        account === after)
    );
  });
  const ownAccount = listAccounts(changed).find(({ uid }) => uid === author);
  if (ownAccount && accountsBefore.get(author)?.status === 'ACTIVE' && ownAccount.status !== 'ACTIVE')
    throw conflict(coreRefusal('core.refused.ownAccount'));
  await assertManageable(transaction, changed, former, ownAccess);
  if (mayLoseAdmin || listGrants(former).length > 0) await assertAdminRemains(transaction);
}

/** Only admins manage admins. Others manage people who have no more access than they have. */
async function assertManageable(
  transaction: Transaction<PeopleTables>,
  changedRows: People,
  formerRows: People,
  ownAccess: OwnAccess & { readonly caller: { readonly uid: string } },
): Promise<void> {
  const author = ownAccess.caller.uid;
  const accounts = [...listAccounts(changedRows), ...listAccounts(formerRows)];
  const grants = [...listGrants(changedRows), ...listGrants(formerRows)];
  const touchedUids = [...new Set([...accounts.map(({ uid }) => uid), ...grants.map(({ account }) => account)])];
  const { rows: currentAccounts } = await sql<Account>`
    select uid, user_type, status from core.user_account where uid = any(${[...touchedUids, author]}::text[])`.execute(
    transaction,
  );
  const authorType = (
    listAccounts(formerRows).find(({ uid }) => uid === author) ?? currentAccounts.find(({ uid }) => uid === author)
  )?.user_type;
  const isAdmin = authorType !== undefined && isAdminType(authorType);
  const managedAccounts = [...accounts, ...currentAccounts.filter(({ uid }) => touchedUids.includes(uid))];
  if (!isAdmin && managedAccounts.some(({ user_type }) => isAdminType(user_type)))
    throw noAccess(coreRefusal('core.refused.grantAdmin'));
  const { rows: heldGrants } = await sql<Pick<Grant, 'role'>>`
    select distinct role from core.user_role where account = any(${isAdmin ? [] : touchedUids}::text[])`.execute(
    transaction,
  );
  const roles = [...new Set([...heldGrants, ...grants].map(({ role }) => role))];
  assertGrantable(ownAccess, (await loadGrants(transaction, roles)).values());
}
