import type { QueryExecutorProvider } from 'kysely';
import { token, type UserType } from '#core';
import type { Preferences } from '#core/api';
import type { Account } from '../access/account.ts';

export interface AccountChange {
  readonly name?: string;
  readonly userType?: UserType;
  readonly preferences?: Preferences;
  readonly section?: string | null;
  readonly department?: string | null;
  readonly division?: string | null;
  readonly businessUnit?: string | null;
  /** uids of roles. They replace the roles that admins granted; roles from groups of an identity provider stay. */
  readonly roles?: readonly string[];
}

export interface NewAccount extends AccountChange {
  readonly username: string;
  readonly name: string;
  readonly userType: UserType;
}

export interface InviteOptions {
  /**
   * Called with the existing account if it is invited again, while its row is locked. Throws if the caller may not
   * change that account. Must not query the database.
   */
  readonly assertReplaceable?: (existing: Account) => void;
  /** Runs in the transaction of the invitation, for example to write the audit log. */
  readonly onInvited?: (transaction: QueryExecutorProvider, invited: Account) => Promise<void>;
}

/** The author and the request of a status change, for the audit log. */
export interface StatusChangeOptions {
  /** uid of the person. Null, the default, is the system itself. */
  readonly actor?: string | null;
  /** Id of the request (`Call.requestId`). */
  readonly request?: string;
}

/**
 * Accounts of people. Every change applies from the person's next request, in all processes. Callers check permissions
 * themselves (`assertCanManage`, `assertGrantable`).
 */
export interface Accounts {
  find(uid: string): Promise<Account | undefined>;
  /** Ignores case. */
  findByUsername(username: string): Promise<Account | undefined>;
  /** Display names by uid: the name, or the username of an account without one. Omits unknown accounts. */
  findNames(uids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** All accounts, sorted by name. */
  list(): Promise<readonly Account[]>;
  /**
   * Creates an account without a password and mails an invitation. An existing account that was never activated
   * (INVITED or REGISTERED) gets the given properties and another invitation.
   *
   * @throws `conflict` (409) if an active or deactivated account exists; `invalidRequest` (400) on an unknown role
   */
  invite(account: NewAccount, options?: InviteOptions): Promise<Account>;
  /**
   * Changes the given properties only.
   *
   * @throws `notFound`; `invalidRequest` on an unknown role
   */
  update(uid: string, change: AccountChange): Promise<Account>;
  /**
   * Ends all sessions of the person and refuses their requests with 401 "E006: Inactive User". Audited as
   * `account.deactivated`.
   *
   * @throws `notFound`
   */
  deactivate(uid: string, options?: StatusChangeOptions): Promise<Account>;
  /**
   * Restores the status ACTIVE, or INVITED if the account was never activated. Audited as `account.reactivated`.
   *
   * @throws `notFound`
   */
  reactivate(uid: string, options?: StatusChangeOptions): Promise<Account>;
}
export const Accounts = token<Accounts>('core.Accounts');
