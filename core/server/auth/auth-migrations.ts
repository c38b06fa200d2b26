import type { Migration } from '../database/migration.ts';

export const authMigrations: readonly Migration[] = [
  {
    id: 'auth-0001-sessions-and-codes',
    up: `
      create table session (
        id text primary key,
        account text not null references user_account on delete cascade,
        created_at timestamptz not null,
        idle_expires_at timestamptz not null,
        expires_at timestamptz not null,
        revoked_at timestamptz
      );
      create index session_account on session (account);
      create index session_idle on session (idle_expires_at);

      create table refresh_token (
        hash text primary key,
        session text not null references session on delete cascade,
        parent text,
        created_at timestamptz not null,
        used_at timestamptz,
        revoked_at timestamptz
      );
      create index refresh_token_session on refresh_token (session);
      create index refresh_token_parent on refresh_token (parent);
      create index refresh_token_used on refresh_token (used_at);

      create table one_time_code (
        id text primary key,
        account text not null references user_account on delete cascade,
        purpose text not null check (purpose in ('ACTIVATE', 'RESET')),
        code_hash text not null,
        password_hash text,
        attempts integer not null default 0,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        closed_at timestamptz
      );
      create index one_time_code_account on one_time_code (account, purpose, created_at);

      create table sign_in_attempt (
        key text primary key,
        failures integer not null,
        last_at timestamptz not null
      );

      create table signing_key (
        number integer primary key,
        secret text not null,
        created_at timestamptz not null
      );
    `,
  },
  {
    // A code without a request could never be redeemed: whoever waits for one asks again.
    id: 'auth-0002-codes-belong-to-requests',
    up: `
      delete from one_time_code;
      alter table one_time_code add column request text not null, add column asker_hash text not null;
      create index one_time_code_request on one_time_code (request);
    `,
  },
  {
    id: 'auth-0003-codes-know-when-they-were-asked-for',
    up: `
      alter table one_time_code add column requested_at timestamptz;
      update one_time_code set requested_at = created_at;
      alter table one_time_code alter column requested_at set not null;
    `,
  },
  {
    id: 'auth-0004-sessions-know-their-clients',
    up: `
      alter table session add column device text, add column address text, add column last_used_at timestamptz;
      update session set last_used_at = created_at;
      alter table session alter column last_used_at set not null;
    `,
  },
  {
    // Accounts from before have none: the next sign-in at a provider links them, by the address as before.
    id: 'auth-0005-identities-of-providers',
    up: `
      create table federated_identity (
        issuer text not null,
        subject text not null,
        account text not null unique references user_account on delete cascade,
        created_at timestamptz not null,
        primary key (issuer, subject)
      );
    `,
  },
];
