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
  /** uids of roles; replaces them all. */
  readonly roles?: readonly string[];
}

export interface NewAccount extends AccountChange {
  readonly username: string;
  readonly name: string;
  readonly userType: UserType;
}

export interface InviteOptions {
  /**
   * Asked about the account that is invited anew, with its row held: throws where the caller may not manage what it is
   * already. Must not ask the database.
   */
  readonly mayManage?: (known: Account) => void;
  /** Run in the transaction of the invitation, such as to note it in the audit log. */
  readonly within?: (transaction: QueryExecutorProvider, invited: Account) => Promise<void>;
}

/** Who does it, for the audit log. */
export interface StatusChangeOptions {
  /** uid of the person; null, which is the default, for the system itself. */
  readonly actor?: string | null;
  /** Id of the request in which it is done (`Call.requestId`). */
  readonly request?: string;
}

/**
 * Accounts of people. Every change is felt at the person's next call, in all processes. Who may change what is for the
 * caller to check (`assertCanGrant`).
 */
export interface Accounts {
  find(uid: string): Promise<Account | undefined>;
  /** Without regard to case. */
  findByUsername(username: string): Promise<Account | undefined>;
  /**
   * What others read of these people, by uid: the name, or the username of an account without one. Who has no account
   * any more is left out.
   */
  findNames(uids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** By name; all of them. */
  list(): Promise<readonly Account[]>;
  /**
   * An account without password, and a mail that leads to registration. Anew for one that was never activated (INVITED
   * or REGISTERED): it becomes what is said here. Throws `conflict` (409) where an active or a deactivated one exists,
   * `invalidRequest` (400) on an unknown role.
   */
  invite(account: NewAccount, options?: InviteOptions): Promise<Account>;
  /** Throws `notFound`, and `invalidRequest` on an unknown role. What is absent stays. */
  update(uid: string, change: AccountChange): Promise<Account>;
  /**
   * All sessions of the person end; their calls answer 401 "E006: Inactive User". The audit log has it
   * (`account.deactivated`). Throws `notFound`.
   */
  deactivate(uid: string, options?: StatusChangeOptions): Promise<Account>;
  /**
   * To what it was before: INVITED where nobody ever signed in. The audit log has it (`account.reactivated`). Throws
   * `notFound`.
   */
  activate(uid: string, options?: StatusChangeOptions): Promise<Account>;
}
export const Accounts = token<Accounts>('core.Accounts');
