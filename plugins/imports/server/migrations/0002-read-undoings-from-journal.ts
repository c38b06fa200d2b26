import type { Migration } from '#core/server';

/** The journal of changes says what is undone: written apart from it, the column missed undoings and kills. */
export const readUndoingsFromJournal: Migration = {
  id: 'imports-0002-read-undoings-from-journal',
  up: 'alter table batch drop column undone_at;',
};
