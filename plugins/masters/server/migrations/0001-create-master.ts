import type { Migration } from '#core/server';

export const createMaster: Migration = {
  id: 'masters-0001-create-master',
  up: `
    create table master_type (
      code text primary key,
      active boolean not null default true,
      position integer not null
    );
    insert into master_type (code, position) values
      ('TYPE_OF_WORK', 1), ('ACTIVITY', 2), ('USER_TYPE', 3), ('SECTION', 4), ('DEPARTMENT', 5),
       ('DIVISION', 6), ('BUSINESS_UNIT', 7);
    create table master (
      uid uuid primary key default gen_random_uuid(),
      type text not null references master_type (code),
      name text not null check (length(name) between 1 and 100),
      french_name text check (length(french_name) between 1 and 100),
      active boolean not null default true,
      position integer not null default 0,
      parent uuid references master (uid)
    );
    create unique index master_name on master (type, lower(name));
  `,
};
