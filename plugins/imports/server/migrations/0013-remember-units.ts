import type { Migration } from '#core/server';

/** The unit in which a column was read when it was chosen. Unknown for choices from before units were converted. */
export const rememberUnits: Migration = {
  id: 'imports-0013-remember-units',
  up: `
    alter table header_choice add column unit text;
  `,
};
