import type { Migration } from '#core/server';

/** Imports of locations are limited to those of their author's roles, or to none. */
export const knowAllLocations: Migration = {
  id: 'imports-0004-know-all-locations',
  up: 'alter table batch add column all_locations boolean not null default false;',
};
