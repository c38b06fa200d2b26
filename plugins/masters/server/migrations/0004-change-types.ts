import type { Migration } from '#core/server';

/** Lets admins change types. A master remembers whether it was active when its type was deactivated. */
export const changeTypes: Migration = {
  id: 'masters-0004-change-types',
  up: `
    alter table master_type add column row_version integer not null default 1;
    alter table master add column was_active boolean not null default false;
    create index master_order on master (type, position, lower(name));
  `,
};
