import type { AccessTables } from '../access/access-tables.ts';
import type { AuditTables } from '../audit/audit-log.ts';

export interface SessionTable {
  id: string;
  account: string;
  created_at: Date;
  idle_expires_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  /** Of the last login or renewal. Null in sessions from before these were kept. */
  device: string | null;
  address: string | null;
  last_used_at: Date;
}

/** Who somebody is at an identity provider, and whose account that is. One account has one identity. */
export interface FederatedIdentityTable {
  /** The provider's issuer, as its ID tokens name it. */
  issuer: string;
  subject: string;
  account: string;
  created_at: Date;
}

export interface RefreshTokenTable {
  /** Hex SHA-256 of the token. */
  hash: string;
  session: string;
  parent: string | null;
  created_at: Date;
  used_at: Date | null;
  revoked_at: Date | null;
}

export type CodePurpose = 'ACTIVATE' | 'RESET';

export interface OneTimeCodeTable {
  id: string;
  account: string;
  purpose: CodePurpose;
  /** Hex SHA-256 of the secret that the client keeps which asked for the code. */
  request: string;
  /** Keyed hash of that client's network address. */
  asker_hash: string;
  /** Keyed hash: the six digits cannot be tried out on a copy of the database alone. */
  code_hash: string;
  /** ACTIVATE: the password that this code makes the account's. */
  password_hash: string | null;
  attempts: number;
  /** When the client asked for it; `created_at` is when the mail with this code left last. */
  requested_at: Date;
  created_at: Date;
  expires_at: Date;
  /** Used, superseded or guessed at too often. */
  closed_at: Date | null;
}

export interface AttemptTable {
  key: string;
  failures: number;
  last_at: Date;
}

export interface SigningKeyTable {
  number: number;
  secret: string;
  created_at: Date;
}

/** All tables of the schema `core` that sign-in works with. */
export interface AuthTables extends AccessTables, AuditTables {
  session: SessionTable;
  federated_identity: FederatedIdentityTable;
  refresh_token: RefreshTokenTable;
  one_time_code: OneTimeCodeTable;
  sign_in_attempt: AttemptTable;
  signing_key: SigningKeyTable;
}
