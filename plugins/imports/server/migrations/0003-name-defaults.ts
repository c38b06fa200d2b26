import type { Migration } from '#core/server';

/**
 * Records which values of a new row are defaults: they must not replace the values of a row that somebody adds in the
 * meantime.
 */
export const nameDefaults: Migration = {
  id: 'imports-0003-name-defaults',
  up: `alter table staged_row add column defaulted text[] not null default '{}';`,
};
