import type { Migration } from '#core/server';

export const measurePictures: Migration = {
  id: 'imports-0007-measure-pictures',
  up: `
    alter table file add column picture boolean not null default false, add column width integer,
      add column height integer;
  `,
};
