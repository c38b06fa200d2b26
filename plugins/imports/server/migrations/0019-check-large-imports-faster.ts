import type { Migration } from '#core/server';

/**
 * No query has a condition on a whole JSON value, for which statistics would help. Findings are deleted with their row,
 * which is deleted with the import.
 */
export const checkLargeImportsFaster: Migration = {
  id: 'imports-0019-check-large-imports-faster',
  up: `
    alter table staged_row alter column cells set statistics 0, alter column edits set statistics 0,
      alter column values set statistics 0, alter column before set statistics 0;
    alter table finding alter column values set statistics 0, drop constraint finding_batch_fkey;
  `,
};
