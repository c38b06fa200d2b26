import type { Migration } from '#core/server';

/** The import in whose cells a word was corrected one by one, and the one in which a sheet of a file was chosen. */
export const nameImportsOfChoices: Migration = {
  id: 'imports-0016-name-imports-of-choices',
  up: `
    alter table value_choice add column corrected_in text;
    alter table sheet_choice add column chosen_in text;
  `,
};
