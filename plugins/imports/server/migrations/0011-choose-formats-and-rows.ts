import type { Migration } from '#core/server';

/** Stores how columns with ambiguous values are read, and which rows of a file are left out. */
export const chooseFormatsAndRows: Migration = {
  id: 'imports-0011-choose-formats-and-rows',
  up: `
    create table format_choice (
      kind text not null,
      sheet text not null,
      header text not null,
      format text not null,
      primary key (kind, sheet, header)
    );
    alter table staged_row add column left_out boolean not null default false;
  `,
};
