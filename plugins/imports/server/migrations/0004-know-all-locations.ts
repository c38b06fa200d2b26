import type { Migration } from '#core/server';

/**
 * Whether the author can access all locations. Existing imports of locations stay limited to the locations of the roles
 * of their authors.
 */
export const knowAllLocations: Migration = {
  id: 'imports-0004-know-all-locations',
  up: 'alter table batch add column all_locations boolean not null default false;',
};
