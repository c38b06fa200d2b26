import type { Migration } from '#core/server';

/** Values of all rows for columns that a file lacks, and the sheets of files with other names, as a person chooses them. */
export const chooseConstantsAndSheets: Migration = {
  id: 'imports-0015-choose-constants-and-sheets',
  up: `
    alter table sheet add column constants jsonb not null default '{}';
    create table constant_choice (
      kind text not null,
      sheet text not null,
      column_id text not null,
      value jsonb not null,
      primary key (kind, sheet, column_id)
    );
    alter table batch add column file_sheets jsonb not null default '[]';
    create table sheet_choice (
      kind text not null,
      name text not null,
      sheet text,
      primary key (kind, name)
    );
  `,
};
