import type { Migration } from '#core/server';

/**
 * The journal of changes tells which imports were undone. The dropped column was written separately, and missed some
 * undone imports.
 */
export const readUndoingsFromJournal: Migration = {
  id: 'imports-0002-read-undoings-from-journal',
  up: 'alter table batch drop column undone_at;',
};
