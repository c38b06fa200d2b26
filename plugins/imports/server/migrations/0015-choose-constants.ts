import type { Migration } from '#core/server';

/** Values that a person chooses for all rows of a sheet, for columns that its file lacks. */
export const chooseConstants: Migration = {
  id: 'imports-0015-choose-constants',
  up: `
    alter table sheet add column constants jsonb not null default '{}';
    create table constant_choice (
      kind text not null,
      sheet text not null,
      column_id text not null,
      value jsonb not null,
      primary key (kind, sheet, column_id)
    );
  `,
};
