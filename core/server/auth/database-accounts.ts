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

  constructor(parts: {
    readonly database: Database;
    readonly changes: AccessChanges;
    readonly audit: AuditLog;
    readonly clock: Clock;
    readonly mails: AccountMails;
  }) {
    this.#tables = parts.database.of<AuthTables>('core');
    this.#changes = parts.changes;
    this.#audit = parts.audit;
    this.#clock = parts.clock;
    this.#mails = parts.mails;
  }

  async find(uid: string): Promise<Account | undefined> {
    return (
      await withRoles(
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
    return (await withRoles(this.#tables, rows))[0];
  }

  async findNames(uids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const requested = [...new Set(uids)];
    if (requested.length === 0) return new Map();
    const rows = await this.#tables
      .selectFrom('user_account')
      .select(['uid', 'name', 'username'])
      .where('uid', 'in', requested)
      .execute();
    return new Map(rows.map(({ uid, name, username }) => [uid, name.trim() || username]));
  }

  async list(): Promise<readonly Account[]> {
    return withRoles(
      this.#tables,
      await this.#tables.selectFrom('user_account').selectAll().orderBy('name').orderBy('username').execute(),
    );
  }

  async invite(account: NewAccount, { mayManage, within }: InviteOptions = {}): Promise<Account> {
    const username = normaliseUsername(account.username);
    const now = new Date(this.#clock.now());
    const invited = await this.#tables
      .transaction()
      .execute(async (transaction) => {
        const known = await transaction
          .selectFrom('user_account')
          .selectAll()
          .where('username', '=', username)
          .forUpdate()
          .executeTakeFirst();
        if (known !== undefined && known.status !== 'INVITED' && known.status !== 'REGISTERED')
          throw usernameTaken(username);
        const uid = known?.uid ?? randomUUID();
        if (known === undefined) {
          await transaction
            .insertInto('user_account')
            .values({
              uid,
              username,
              ...noDetails,
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
          for (const present of await withRoles(transaction, [known])) mayManage?.(present);
          await transaction.updateTable('user_account').set({ invited_at: now }).where('uid', '=', uid).execute();
        }
        const applied = await applyChange(transaction, uid, account);
        await this.#mails.orderInvitation(transaction, uid);
        await within?.(transaction, applied);
        return applied;
      })
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? usernameTaken(username) : error;
      });
    await this.#mails.resendNow();
    return invited;
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

  async activate(uid: string, options: StatusChangeOptions = {}): Promise<Account> {
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

const noDetails = { preferences: '{}', section: null, department: null, division: null, business_unit: null } as const;

const usernameTaken = (username: string): Error =>
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
  if (Object.keys(values).length > 0)
    await transaction.updateTable('user_account').set(values).where('uid', '=', uid).execute();
  if (change.roles !== undefined) await setRoles(transaction, uid, change.roles);
  const [account] = await withRoles(
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
  const requested = [...new Set(roles)];
  await transaction.deleteFrom('user_role').where('account', '=', account).execute();
  if (requested.length === 0) return;
  const known = new Set(
    (await transaction.selectFrom('role').select('uid').where('uid', 'in', requested).execute()).map(({ uid }) => uid),
  );
  const unknown = requested.find((role) => !known.has(role));
  if (unknown !== undefined) throw invalidRequest(`The role '${unknown}' does not exist.`);
  await transaction
    .insertInto('user_role')
    .values(requested.map((role) => ({ account, role })))
    .execute();
}

async function withRoles(tables: Kysely<AuthTables>, rows: readonly AccountRow[]): Promise<readonly Account[]> {
  if (rows.length === 0) return [];
  const accounts = rows.length === 1 ? rows.map(({ uid }) => uid) : undefined;
  const all = tables.selectFrom('user_role').selectAll().orderBy('role');
  const grants = await (accounts === undefined ? all : all.where('account', 'in', accounts)).execute();
  const roles = new Map<string, string[]>(rows.map(({ uid }) => [uid, []]));
  for (const { account, role } of grants) roles.get(account)?.push(role);
  return rows.map((row) => toAccount(row, roles.get(row.uid) ?? []));
}
