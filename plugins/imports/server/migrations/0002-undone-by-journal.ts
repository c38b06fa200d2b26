import type { Migration } from '#core/server';

/** The journal of changes says whether an import was undone. */
export const undoneByJournal: Migration = {
  id: 'imports-0002-undone-by-journal',
  up: `alter table batch drop column undone_at;`,
};
