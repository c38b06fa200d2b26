import type { Migration } from '#core/server';

/** Steps of the set-up that are left out for the whole product. */
export const createSkippedStep: Migration = {
  id: 'locations-0004-create-skipped-step',
  up: 'create table skipped_step (step text primary key);',
};
