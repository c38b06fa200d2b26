import type { Migration } from '#core/server';

/** The file from which the rows of a sheet were read. */
export const nameFilesOfSheets: Migration = {
  id: 'imports-0014-name-files-of-sheets',
  up: `alter table sheet add column file text;`,
};
