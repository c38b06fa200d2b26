import type { AccessTables } from '../access/access-tables.ts';
import type { AuditTables } from '../audit/audit-log.ts';

export interface SessionTable {
  id: string;
  account: string;
  created_at: Date;
  idle_expires_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  /** Device at the last login or renewal. Null in sessions of versions that did not record it. */
  device: string | null;
  address: string | null;
  last_used_at: Date;
}

/** Links an account to its identity at a provider. An account has at most one identity. */
export interface FederatedIdentityTable {
  /** The issuer claim of the provider's ID tokens. */
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
  /** Hex SHA-256 of the secret that the requesting client keeps. */
  request: string;
  /** Keyed hash of that client's network address. */
  asker_hash: string;
  /** A keyed hash, so that nobody can guess the six digits from a copy of the database. */
  code_hash: string;
  /**
   * Hash of the password that an ACTIVATE code sets when it is redeemed. Null for a password that was only the name of
   * the person, and for other codes.
   */
  password_hash: string | null;
  attempts: number;
  /** When the client requested the code. `created_at` is the time of its last mail. */
  requested_at: Date;
  created_at: Date;
  expires_at: Date;
  /** When it was used, superseded or guessed too often. */
  closed_at: Date | null;
}

export interface SecondFactorTable {
  account: string;
  /** The encrypted key of the authenticator app (`SealedKeys`). */
  sealed_key: string;
  /** The last used time step, so that each code is used once. */
  last_step: number;
  created_at: Date;
}

export interface RecoveryCodeTable {
  account: string;
  /** Hex SHA-256 of account and code. */
  hash: string;
  used_at: Date | null;
}

/** A sign-in that waits for its second factor. */
export interface SignInChallengeTable {
  /** Hex SHA-256 of the secret that the client keeps. */
  hash: string;
  account: string;
  /** Hex SHA-256 of the verified password hash: a changed password ends the sign-in. */
  proof: string;
  expires_at: Date;
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

/** All tables of the schema `core` that authentication uses. */
export interface AuthTables extends AccessTables, AuditTables {
  session: SessionTable;
  federated_identity: FederatedIdentityTable;
  refresh_token: RefreshTokenTable;
  one_time_code: OneTimeCodeTable;
  second_factor: SecondFactorTable;
  recovery_code: RecoveryCodeTable;
  sign_in_challenge: SignInChallengeTable;
  sign_in_attempt: AttemptTable;
  signing_key: SigningKeyTable;
}
