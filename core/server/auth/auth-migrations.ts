import type { Migration } from '../database/migration.ts';

export const authMigrations: readonly Migration[] = [
  {
    id: 'auth-0001-create-sessions',
    up: `
      create table session (
        id text primary key,
        account text not null references user_account on delete cascade,
        created_at timestamptz not null,
        idle_expires_at timestamptz not null,
        expires_at timestamptz not null,
        revoked_at timestamptz,
        device text,
        address text,
        last_used_at timestamptz not null
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
        closed_at timestamptz,
        request text not null,
        asker_hash text not null,
        requested_at timestamptz not null
      );
      create index one_time_code_account on one_time_code (account, purpose, created_at);
      create index one_time_code_request on one_time_code (request);

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

      create table federated_identity (
        issuer text not null,
        subject text not null,
        account text not null unique references user_account on delete cascade,
        created_at timestamptz not null,
        primary key (issuer, subject)
      );
    `,
  },
  {
    id: 'auth-0002-add-second-factor',
    up: `
      create table second_factor (
        account text primary key references user_account on delete cascade,
        sealed_key text not null,
        last_step integer not null,
        created_at timestamptz not null
      );

      create table recovery_code (
        account text not null references second_factor on delete cascade,
        hash text not null,
        used_at timestamptz,
        primary key (account, hash)
      );

      create table sign_in_challenge (
        hash text primary key,
        account text not null references user_account on delete cascade,
        proof text not null,
        expires_at timestamptz not null
      );
      create index sign_in_challenge_account on sign_in_challenge (account);
      create index sign_in_challenge_expires on sign_in_challenge (expires_at);
    `,
  },
  {
    id: 'auth-0003-map-groups',
    up: `
      alter table user_role add column from_group boolean not null default false;

      create table group_role (
        uid text primary key,
        provider text not null check (provider in ('first', 'second')),
        value text not null,
        role text not null references role,
        unique (provider, value, role)
      );
      create index group_role_role on group_role (role);
    `,
  },
];
