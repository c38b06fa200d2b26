import type { Migration } from '#core/server';

export const createContact: Migration = {
  id: 'media-0002-create-contact',
  up: `
    create table contact (
      uid text primary key default gen_random_uuid()::text,
      name text not null check (length(name) between 1 and 150),
      job_title text,
      category text not null check (category in ('SUPPORT', 'ADMIN', 'SITE', 'EMERGENCY')),
      email text,
      phone text,
      location text,
      languages jsonb not null default '[]',
      sequence integer not null default 0,
      on_login boolean not null default false,
      row_version integer not null default 1,
      check (email is not null or phone is not null)
    );
    create unique index contact_name on contact (lower(name), coalesce(location, ''));
    create index contact_place on contact (location);
    create index contact_order on contact (sequence, name, uid);
  `,
};
