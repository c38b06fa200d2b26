import type { Migration } from '#core/server';

export const createNotice: Migration = {
  id: 'media-0004-create-notice',
  up: `
    create table notice (
      uid text primary key,
      text text not null check (length(text) between 1 and 500),
      french_text text,
      severity text not null check (severity in ('INFO', 'WARNING', 'CRITICAL')),
      area text not null check (area in ('TOP', 'BOTTOM')),
      location text,
      on_login boolean not null default false,
      starts_at timestamptz not null,
      ends_at timestamptz,
      row_version integer not null default 1,
      check (ends_at > starts_at),
      check (location is null or not on_login)
    );
    create index notice_order on notice (starts_at, uid);
    create index notice_end on notice (ends_at);
    create index notice_place on notice (location);

    create table notice_dismissal (
      notice text not null references notice on delete cascade,
      account text not null,
      row_version integer not null,
      primary key (notice, account)
    );
  `,
};
