import type { Migration } from '#core/server';

/** Adds versions, and makes uids text, because the journal of changes compares keys as text. */
export const countVersions: Migration = {
  id: 'masters-0002-count-versions',
  up: `
    alter table master drop constraint master_parent_fkey;
    alter table master
      alter column uid drop default,
      alter column uid type text using uid::text,
      alter column parent type text using parent::text,
      add column row_version integer not null default 1;
    alter table master
      alter column uid set default gen_random_uuid()::text,
      add constraint master_parent_fkey foreign key (parent) references master (uid);
  `,
};
