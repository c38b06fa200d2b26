import type { UserType } from '#core';
import type { Preferences } from '#core/api';
import { normaliseMailDomain } from '../kernel/mail-domain.ts';
import type { AccountRow, AccountStatus } from './access-tables.ts';

/** One person's account, without secrets. */
export interface Account {
  readonly uid: string;
  readonly username: string;
  readonly name: string;
  readonly userType: UserType;
  readonly status: AccountStatus;
  readonly preferences: Preferences;
  readonly section: string | null;
  readonly department: string | null;
  readonly division: string | null;
  readonly businessUnit: string | null;
  readonly createdAt: Date;
  /** uids of the roles, active or not. */
  readonly roles: readonly string[];
}

/** Normalises a username to the spelling under which it is stored and looked up. */
export function normaliseUsername(username: string): string {
  const text = username.trim().normalize('NFC').toLowerCase();
  const atIndex = text.lastIndexOf('@');
  return atIndex < 0 ? text : `${text.slice(0, atIndex)}@${normaliseMailDomain(text.slice(atIndex + 1))}`;
}

/** `TENANT_ADMIN` may use the admin login and the admin area; roles decide what it may do there. */
export function isAdminType(userType: UserType): boolean {
  return userType === 'TENANT_ADMIN';
}

export function toAccount(row: AccountRow, roles: readonly string[]): Account {
  return {
    uid: row.uid,
    username: row.username,
    name: row.name,
    userType: row.user_type,
    status: row.status,
    preferences: row.preferences,
    section: row.section,
    department: row.department,
    division: row.division,
    businessUnit: row.business_unit,
    createdAt: row.created_at,
    roles,
  };
}
