import type { Migration } from '#core/server';

/** The journal of changes states what was undone. The column was written separately, and missed undone imports. */
export const readUndoingsFromJournal: Migration = {
  id: 'imports-0002-read-undoings-from-journal',
  up: 'alter table batch drop column undone_at;',
};
