import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Preferences } from '#core/api';
import { toAccount, normaliseUsername, type Account } from '../access/account.ts';
import type { AccessChanges } from '../access/access-changes.ts';
import type { AccountRow } from '../access/access-tables.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { isUniqueViolation } from '../kernel/database-error.ts';
import type { Database } from '../database/database.ts';
import type { Clock } from '../kernel/clock.ts';
import { conflict, invalidRequest, notFound } from '../kernel/server-error.ts';
import type { AccountMails } from './account-mails.ts';
import type { AccountChange, Accounts, InviteOptions, NewAccount, StatusChangeOptions } from './accounts.ts';
import type { AuthTables } from './auth-tables.ts';
import { revokeSessionsOfAccount } from './sessions.ts';

export class DatabaseAccounts implements Accounts {
  readonly #tables: Kysely<AuthTables>;
  readonly #changes: AccessChanges;
  readonly #audit: AuditLog;
  readonly #clock: Clock;
  readonly #mails: AccountMails;

  constructor(options: {
    readonly database: Database;
    readonly changes: AccessChanges;
    readonly audit: AuditLog;
    readonly clock: Clock;
    readonly mails: AccountMails;
  }) {
    this.#tables = options.database.of<AuthTables>('core');
    this.#changes = options.changes;
    this.#audit = options.audit;
    this.#clock = options.clock;
    this.#mails = options.mails;
  }

  async find(uid: string): Promise<Account | undefined> {
    return (
      await toAccounts(
        this.#tables,
        await this.#tables.selectFrom('user_account').selectAll().where('uid', '=', uid).execute(),
      )
    )[0];
  }

  async findByUsername(username: string): Promise<Account | undefined> {
    const rows = await this.#tables
      .selectFrom('user_account')
      .selectAll()
      .where('username', '=', normaliseUsername(username))
      .execute();
    return (await toAccounts(this.#tables, rows))[0];
  }

  async findNames(uids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const requestedUids = [...new Set(uids)];
    if (requestedUids.length === 0) return new Map();
    const rows = await this.#tables
      .selectFrom('user_account')
      .select(['uid', 'name', 'username'])
      .where('uid', 'in', requestedUids)
      .execute();
    return new Map(rows.map(({ uid, name, username }) => [uid, name.trim() || username]));
  }

  async list(): Promise<readonly Account[]> {
    return toAccounts(
      this.#tables,
      await this.#tables.selectFrom('user_account').selectAll().orderBy('name').orderBy('username').execute(),
    );
  }

  async invite(account: NewAccount, { assertReplaceable, onInvited }: InviteOptions = {}): Promise<Account> {
    const username = normaliseUsername(account.username);
    const now = new Date(this.#clock.now());
    const invitedAccount = await this.#tables
      .transaction()
      .execute(async (transaction) => {
        const existingRow = await transaction
          .selectFrom('user_account')
          .selectAll()
          .where('username', '=', username)
          .forUpdate()
          .executeTakeFirst();
        if (existingRow !== undefined && existingRow.status !== 'INVITED' && existingRow.status !== 'REGISTERED')
          throw createUsernameTakenError(username);
        const uid = existingRow?.uid ?? randomUUID();
        if (existingRow === undefined) {
          await transaction
            .insertInto('user_account')
            .values({
              uid,
              username,
              ...emptyDetails,
              name: account.name,
              user_type: account.userType,
              status: 'INVITED',
              password_hash: null,
              created_at: now,
              invited_at: now,
              activated_at: null,
            })
            .execute();
        } else {
          const [existing] = await toAccounts(transaction, [existingRow]);
          if (existing) assertReplaceable?.(existing);
          await transaction.updateTable('user_account').set({ invited_at: now }).where('uid', '=', uid).execute();
        }
        const updatedAccount = await applyChange(transaction, uid, account);
        await this.#mails.enqueueInvitation(transaction, uid);
        await onInvited?.(transaction, updatedAccount);
        return updatedAccount;
      })
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? createUsernameTakenError(username) : error;
      });
    await this.#mails.sendPending();
    return invitedAccount;
  }

  async update(uid: string, change: AccountChange): Promise<Account> {
    const account = await this.#tables.transaction().execute(async (transaction) => {
      await lockAccount(transaction, uid);
      return applyChange(transaction, uid, change);
    });
    await this.#changes.announce({ kind: 'account', account: uid });
    return account;
  }

  async deactivate(uid: string, options: StatusChangeOptions = {}): Promise<Account> {
    return this.#setStatus(uid, 'account.deactivated', options, () => 'INACTIVE');
  }

  async reactivate(uid: string, options: StatusChangeOptions = {}): Promise<Account> {
    return this.#setStatus(uid, 'account.reactivated', options, (row) =>
      row.status !== 'INACTIVE' ? row.status : row.activated_at === null ? 'INVITED' : 'ACTIVE',
    );
  }

  async #setStatus(
    uid: string,
    action: string,
    { actor = null, request }: StatusChangeOptions,
    nextStatus: (row: AccountRow) => AccountRow['status'],
  ): Promise<Account> {
    const account = await this.#tables.transaction().execute(async (transaction) => {
      const row = await lockAccount(transaction, uid);
      const status = nextStatus(row);
      if (status !== row.status) {
        await transaction.updateTable('user_account').set({ status }).where('uid', '=', uid).execute();
        const details = { from: row.status, to: status };
        await this.#audit.record(
          { actor, action, subject: uid, details, ...(request === undefined ? {} : { request }) },
          transaction,
        );
      }
      if (status === 'INACTIVE') await revokeSessionsOfAccount(transaction, this.#clock.now(), uid);
      return applyChange(transaction, uid, {});
    });
    await this.#changes.announce({ kind: 'account', account: uid });
    return account;
  }
}

const emptyDetails = {
  preferences: '{}',
  section: null,
  department: null,
  division: null,
  business_unit: null,
} as const;

const createUsernameTakenError = (username: string): Error =>
  conflict(`An account for ${username} exists already.`, [
    { pointer: '/username', message: 'core.validation.duplicate', values: { value: username } },
  ]);

async function lockAccount(transaction: Transaction<AuthTables>, uid: string): Promise<AccountRow> {
  const row = await transaction
    .selectFrom('user_account')
    .selectAll()
    .where('uid', '=', uid)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw notFound('This account');
  return row;
}

async function applyChange(transaction: Transaction<AuthTables>, uid: string, change: AccountChange): Promise<Account> {
  const values = {
    ...(change.name === undefined ? {} : { name: change.name }),
    ...(change.userType === undefined ? {} : { user_type: change.userType }),
    ...(change.preferences === undefined
      ? {}
      : { preferences: JSON.stringify(change.preferences satisfies Preferences) }),
    ...(change.section === undefined ? {} : { section: change.section }),
    ...(change.department === undefined ? {} : { department: change.department }),
    ...(change.division === undefined ? {} : { division: change.division }),
    ...(change.businessUnit === undefined ? {} : { business_unit: change.businessUnit }),
  };
  // Forms of admins do not contain preferences, so a change of preferences must not outdate them.
  const incrementsVersion = Object.keys(change).some((key) => key !== 'preferences');
  if (Object.keys(values).length > 0 || incrementsVersion)
    await transaction
      .updateTable('user_account')
      .set(({ eb }) => ({ ...values, ...(incrementsVersion ? { version: eb('version', '+', 1) } : {}) }))
      .where('uid', '=', uid)
      .execute();
  if (change.roles !== undefined) await setRoles(transaction, uid, change.roles);
  const [account] = await toAccounts(
    transaction,
    await transaction.selectFrom('user_account').selectAll().where('uid', '=', uid).execute(),
  );
  if (account === undefined) throw notFound('This account');
  return account;
}

async function setRoles(
  transaction: Transaction<AuthTables>,
  account: string,
  roles: readonly string[],
): Promise<void> {
  const requestedUids = [...new Set(roles)];
  await transaction.deleteFrom('user_role').where('account', '=', account).where('from_group', '=', false).execute();
  if (requestedUids.length === 0) return;
  const existingUids = new Set(
    (await transaction.selectFrom('role').select('uid').where('uid', 'in', requestedUids).execute()).map(
      ({ uid }) => uid,
    ),
  );
  const missingUid = requestedUids.find((role) => !existingUids.has(role));
  if (missingUid !== undefined) throw invalidRequest(`The role '${missingUid}' does not exist.`);
  await transaction
    .insertInto('user_role')
    .values(requestedUids.map((role) => ({ account, role })))
    .onConflict((clash) => clash.columns(['account', 'role']).doUpdateSet({ from_group: false }))
    .execute();
}

async function toAccounts(tables: Kysely<AuthTables>, rows: readonly AccountRow[]): Promise<readonly Account[]> {
  const [firstRow] = rows;
  if (firstRow === undefined) return [];
  const allGrants = tables.selectFrom('user_role').selectAll().orderBy('role');
  const query = rows.length === 1 ? allGrants.where('account', '=', firstRow.uid) : allGrants;
  const grants = await query.execute();
  const roles = new Map<string, string[]>(rows.map(({ uid }) => [uid, []]));
  for (const { account, role } of grants) roles.get(account)?.push(role);
  return rows.map((row) => toAccount(row, roles.get(row.uid) ?? []));
}
