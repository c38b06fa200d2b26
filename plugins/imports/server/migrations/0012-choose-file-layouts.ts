import type { Migration } from '#core/server';

/** The row of headers and the separator of each sheet, as a person chooses them. */
export const chooseFileLayouts: Migration = {
  id: 'imports-0012-choose-file-layouts',
  up: `
    alter table batch add column layouts jsonb not null default '{}';
    alter table sheet add column header_row integer;
  `,
};
