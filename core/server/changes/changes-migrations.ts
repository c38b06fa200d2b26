import type { Migration } from '../database/migration.ts';

export const changesMigrations: readonly Migration[] = [
  {
    id: 'changes-0001-create-change',
    up: `
      create table change (
        uid text primary key,
        at timestamptz not null,
        author text not null,
        owner text not null,
        action text not null,
        subject text not null,
        name text not null,
        location text not null,
        undoes text,
        undone_by text
      );

      create table change_row (
        change text not null references change on delete cascade,
        number integer not null,
        table_name text not null,
        key jsonb not null,
        before jsonb,
        after jsonb,
        primary key (change, number)
      );
      create index change_row_key on change_row (table_name, key);
    `,
  },
  {
    id: 'changes-0002-index-action',
    up: `create index change_action on change (action, subject);`,
  },
];
