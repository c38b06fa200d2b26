import type { Migration } from '#core/server';

/** Which values of a new row are defaults: they must not replace those of a row that somebody adds meanwhile. */
export const nameDefaults: Migration = {
  id: 'imports-0003-name-defaults',
  up: `alter table staged_row add column defaulted text[] not null default '{}';`,
};
